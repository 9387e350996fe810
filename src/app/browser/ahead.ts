/**
 * Fetches files that this page or the next one needs later. Firefox blocks <link rel="prefetch"> under a policy whose
 * default is 'none'.
 */
const filesAhead = document.querySelector<HTMLMetaElement>('meta[name="ahead"]')?.content.split(' ') ?? []
// A page that needs the file asks again, and says why it fails.
for (const file of filesAhead) void fetch(file, { priority: 'low' }).catch(() => undefined)
