/**
 * Fetches files that this page or the next one needs later. Firefox blocks <link rel="prefetch"> under a policy whose
 * default is 'none'.
 */

declare const document: { querySelector: (selector: string) => { content: string } | null }
type Ahead = { priority: 'low' }

const filesAhead = document.querySelector('meta[name="ahead"]')?.content.split(' ') ?? []
const aheadOptions: RequestInit & Ahead = { priority: 'low' }
// A page that needs the file asks again, and says why it fails.
for (const file of filesAhead) void fetch(file, aheadOptions).catch(() => undefined)
