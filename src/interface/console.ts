/** Runs in the reader's browser: shows the description, with a console that calls the API with the reader's key. */

type Parameter = { description: string; schema: { default?: unknown }; examples?: Record<string, { value: unknown }> }
type Operation = {
  parameters?: Parameter[]
  responses: Record<string, { content?: { 'application/json'?: { examples?: object } } }>
}
type Description = { paths: Record<string, Record<string, Operation>> }

declare const SwaggerUIBundle: (settings: object) => unknown

const description = (await (await fetch('/v1/openapi.json')).json()) as Description
for (const path of Object.values(description.paths)) Object.values(path).forEach(keepOneExample)

// A key is typed in by the reader and forgotten with the page.
SwaggerUIBundle({
  dom_id: '#swagger-ui',
  spec: description,
  validatorUrl: null,
  persistAuthorization: false,
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
})

/**
 * The console fills in an example of each parameter at once, and of the ways of choosing frames only one is accepted: the
 * values of the first example are left, the others are told in words.
 */
function keepOneExample({ parameters = [], responses }: Operation): void {
  const [first = ''] = Object.keys(responses['200']?.content?.['application/json']?.examples ?? {})
  for (const parameter of parameters) {
    if (!parameter.examples) continue
    const kept = parameter.examples[first]
    const others = Object.values(parameter.examples).filter((example) => example !== kept)
    if (others.length > 0 && parameter.schema.default === undefined) {
      parameter.description += ` Such as ${others.map(({ value }) => `\`${String(value)}\``).join(', ')}.`
    }
    if (kept) parameter.examples = { [first]: kept }
    else delete parameter.examples
  }
}
