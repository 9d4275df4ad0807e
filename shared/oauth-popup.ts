/** The popup's window name, by which the return page recognises it. */
export const POPUP_NAME = 'zoom_oauth'
/** The channel on which the popup publishes its result after losing its opener. */
export const OAUTH_CHANNEL = 'parley-oauth'
