/** Runs in the reader's browser: shows the description, with a console that calls the API with the reader's key. */

type Examples = Record<string, { summary?: string; value: unknown }>
type Content = Record<string, { examples?: Examples }>
type Response = { $ref?: string; description: string; headers?: object; content?: Content }
type ConsoleParameter = { description: string; schema: { default?: unknown }; examples?: Examples }
type OpenApiOperation = { parameters?: ConsoleParameter[]; responses: Record<string, Response> }
type OpenApiDescription = {
  info: { description?: string; license?: object }
  servers?: object
  tags: { name: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { responses: Record<string, Response> }
}

/** As much of React, and of the console's own parts, as is used here. */
type ReactElement = object
type Component = (props: object) => ReactElement
type System = {
  React: { createElement: (type: Component | string, props: object | null, ...children: unknown[]) => ReactElement }
  getComponent: (name: string) => Component
}

/** The page is the only file that runs in a browser: its few names are declared here, and not for the whole project. */
type MediaQuery = { matches: boolean; addEventListener: (event: 'change', listener: () => void) => void }
declare const matchMedia: (query: string) => MediaQuery
declare const document: { documentElement: { classList: { toggle: (name: string, isOn: boolean) => void } } }
declare const SwaggerUIBundle: (settings: object) => unknown

followColourScheme(matchMedia('(prefers-color-scheme: dark)'))

const description = (await (await fetch('/v1/openapi.json')).json()) as OpenApiDescription
const prose = description.info.description ?? ''
shorten(description)

// The reader types a key in, and the page forgets it when it closes.
SwaggerUIBundle({
  dom_id: '#swagger-ui',
  spec: description,
  plugins: [{ wrapComponents: { operations: proseBefore } }],
  validatorUrl: null,
  persistAuthorization: false,
  deepLinking: true,
  displayRequestDuration: true,
  syntaxHighlight: { theme: 'tomorrow-night' },
  defaultModelsExpandDepth: 0,
})

/** The dark colours of Swagger UI hang on this class. Its own switch is in a layout that is not used here. */
function followColourScheme(dark: MediaQuery): void {
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  follow()
  dark.addEventListener('change', follow)
}

/** Keeps what is shown elsewhere on the page, or to programs alone, out of the list of calls. */
function shorten(whole: OpenApiDescription): void {
  const { info, tags, paths, components } = whole
  delete info.description
  delete info.license
  delete whole.servers
  for (const path of Object.values(paths)) for (const method of ['head', 'options']) delete path[method]
  tags.splice(0, tags.length, ...tags.filter(({ name }) => name !== 'Headers'))
  for (const path of Object.values(paths)) {
    for (const { parameters = [], responses } of Object.values(path)) {
      keepOneExample(parameters, responses)
      for (const [status, response] of Object.entries(responses)) {
        if (status === '200') delete response.headers
        else responses[status] = inShort(response.$ref ? shared(components, response.$ref) : response)
      }
    }
  }
}

function shared({ responses }: OpenApiDescription['components'], ref: string): Response {
  return responses[ref.slice(ref.lastIndexOf('/') + 1)] ?? { description: '' }
}

/** Keeps the meaning of a failure and one example of each code. The prose above the calls explains the headers. */
function inShort({ description: meaning, content }: Response): Response {
  const shown = new Map<string, string>()
  for (const { summary, value } of Object.values(content?.['application/json']?.examples ?? {})) {
    const { code } = (value as { error: { code: string } }).error
    const call = summary !== undefined && /^(GET|POST) /.test(summary) ? `${summary}\n` : ''
    if (!shown.has(code)) shown.set(code, `\`\`\`\n${call}${JSON.stringify(value)}\n\`\`\``)
  }
  return { description: [meaning, ...shown.values()].join('\n\n') }
}

/**
 * The console fills in an example of each parameter at once, but a call accepts one way of choosing frames. The values
 * of the first example therefore stay, and the description lists the others.
 */
function keepOneExample(parameters: ConsoleParameter[], responses: OpenApiOperation['responses']): void {
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

/** The introduction stands above the calls, closed: its headings say what is in it. */
function proseBefore(calls: Component, { React: { createElement }, getComponent }: System): Component {
  const headings = Array.from(prose.matchAll(/^## (.*)$/gm), ([, heading = '']) => heading.toLowerCase())
  return (props) =>
    createElement(
      'div',
      null,
      createElement(
        'details',
        { className: 'prose' },
        createElement('summary', null, `Read first: ${headings.join(', ')}`),
        createElement(getComponent('Markdown'), { source: prose }),
      ),
      createElement(calls, props),
    )
}
