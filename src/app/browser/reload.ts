/** Loads the page again while work is under way. Without scripts a person follows the link "Look again". */

const RELOAD_MS = 2000

setTimeout(() => location.reload(), RELOAD_MS)
