/** The window's name, by which the return page knows that it is the popup. */
export const POPUP_NAME = 'zoom_oauth'
/** What the popup speaks on when it has lost the page that opened it. */
export const OAUTH_CHANNEL = 'parley-oauth'
