/** Runs in the reader's browser: shows the description, with a console that calls the API with the reader's key. */
type Examples = { examples?: Record<string, object> }
type Operation = { parameters?: Examples[]; responses: Record<string, { content?: Record<string, Examples> }> }
declare const SwaggerUIBundle: (settings: object) => unknown

const spec = (await (await fetch('/v1/openapi.json')).json()) as { paths: Record<string, Record<string, Operation>> }
for (const path of Object.values(spec.paths)) Object.values(path).forEach(keepFirstExample)
// The reader types a key in, and the page forgets it when it closes.
SwaggerUIBundle({ dom_id: '#swagger-ui', spec, deepLinking: true, validatorUrl: null })

/** The console fills in an example of every parameter at once, but a call accepts one way of choosing frames. */
function keepFirstExample({ parameters = [], responses }: Operation): void {
  const [first = ''] = Object.keys(responses['200']?.content?.['application/json']?.examples ?? {})
  for (const parameter of parameters) {
    const kept = parameter.examples?.[first]
    delete parameter.examples
    if (kept) parameter.examples = { [first]: kept }
  }
}
