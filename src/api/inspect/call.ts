/** Reads a call of the API from a text, such as "GET /v1/frames?state=marembe". */

export type ExplainedCall = { method: string; path: string; body: string | undefined }

/** A path alone is a GET. An address is accepted for its path. The body of a POST follows its path. */
export function readCall(text: string): ExplainedCall | undefined {
  const [, method = 'GET', path, rest = ''] =
    /^(?:(GET|HEAD|POST|PUT|PATCH|DELETE) +)?(?:https?:\/\/[^/\s]+)?(\/\S*)\s*(.*)$/is.exec(text.trim()) ?? []
  if (path === undefined) return undefined
  const isPost = method.toUpperCase() === 'POST'
  return {
    method: method.toUpperCase(),
    // A person may type the blank in a name as it is.
    path: isPost || rest === '' ? path : `${path} ${rest}`,
    body: isPost && rest !== '' ? rest : undefined,
  }
}
