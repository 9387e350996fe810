/** Writes a call of the API, or a statement of an analyst, as lines of Python. */
import type { Call } from '../../api/inspect/call.js'
import type { Place } from '../../core/origin.js'
import type { Login } from './psql-line.js'

/** The client of clients/python has a method for each call. */
export function pythonOfCalls(calls: readonly Call[], { origin, basePath }: Place): string {
  return [
    'import os',
    'from frames_client import Client',
    '',
    `client = Client(${text(origin + basePath)}, os.environ['FRAMES_KEY'])`,
    ...calls.map((call) => `print(${expression(call)})`),
  ].join('\n')
}

export const pythonOfSelect = ({ database, user }: Login, select: string): string =>
  [
    'import pandas',
    '',
    `rows = pandas.read_sql(${text(select)}, 'postgresql://${user}@HOST/${database}')`,
    'print(rows)',
  ].join('\n')

function expression({ path, body }: Call): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const of = (name: string) => searchParams.get(name)
  const named = [...searchParams].map(([name, value]) => `${name}=${text(value)}`).join(', ')
  const ids = texts(of('ids')?.split(',') ?? [])
  switch (pathname) {
    case '/v1/frames/at':
      return `client.at(lat=${of('lat')}, lon=${of('lon')})`
    case '/v1/frames/data': {
      const datasets = of('datasets')
      return `client.data(${ids}${datasets === null ? '' : `, datasets=${texts(datasets.split(','))}`})`
    }
    case '/v1/frames/insight': {
      const { frameIds = [], question = '' } = JSON.parse(body ?? '{}') as { frameIds?: string[]; question?: string }
      return `client.ask(${text(question)}, ${texts(frameIds)}).headline`
    }
    case '/v1/frames': {
      const box = of('bbox')
      const place = of('ids') !== null ? `ids=${ids}` : box === null ? named : `bbox=(${box.split(',').join(', ')})`
      return `client.frames(${place}).to_list()`
    }
    default:
      return `client.${pathname.split('/').at(-1)}(${named})`
  }
}

const texts = (values: readonly string[]): string => `[${values.map(text).join(', ')}]`

/** JSON's escapes are Python's, too. */
const text = (value: string): string =>
  value.includes("'") || /[\\\p{C}]/u.test(value) ? JSON.stringify(value) : `'${value}'`
