// Loads Zoom's Meeting SDK for the phone app, in whose frame this page is.
export {}
