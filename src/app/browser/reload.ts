/** Loads the page again while work is under way. Without scripts a person follows the link "Look again". */

// The project is compiled without the types of a browser: this is the part that this page uses.
declare const location: { reload: () => void }

const RELOAD_MS = 2000

setTimeout(() => location.reload(), RELOAD_MS)
