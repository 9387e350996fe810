/** Calls of tools with good and with wrong arguments, each beside the call of /v1 that it stands for. */
export type Pair = {
  tool: string
  given: Record<string, string | number | boolean | object>
  path: string
  /** The envelope's data has this member in the structured content. */
  under?: string
}

const ids = '322074005,322074006,1'
const read = (tool: string, path: string, given: Record<string, string | number | boolean>, under?: string): Pair => {
  const query = Object.entries(given).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return { tool, given, path: `${path}${query.length > 0 ? '?' : ''}${query.join('&')}`, ...(under && { under }) }
}
const ask = (given: Pair['given']): Pair => ({ tool: 'ask', given, path: '/v1/frames/insight' })
const [at, frames, data] = ['/v1/frames/at', '/v1/frames', '/v1/frames/data']

export const pairs: readonly Pair[] = [
  read('frame_at', at, { lat: 0.105, lon: 0.205 }),
  read('frame_at', at, { lat: '0.105', lon: '0.205' }),
  read('frame_at', at, { lat: 45, lon: 90 }),
  read('frame_at', at, { lat: 1e-7, lon: -1e-7 }),
  read('frame_at', at, { lat: 91, lon: 2 }),
  read('frames', frames, { bbox: '0.2,0.1,0.22,0.12', limit: 4 }),
  read('frames', frames, { bbox: '0.3,0.2,0.1,0.4' }),
  read('frames', frames, { state: 'marembe', limit: 2 }),
  read('frames', frames, { state: "n'dara", limit: 3, after: '322290000' }),
  read('frames', frames, { state: 'côte évora', lga: 'meridian bay', limit: 1 }),
  read('frames', frames, { state: 'nowhere', limit: 1 }),
  read('frames', frames, { state: 'a\0b' }),
  read('frames', frames, {}),
  read('frames', frames, { ids }, 'frames'),
  read('frames', frames, { ids: 324378020 }, 'frames'),
  read('frames', frames, { ids: Array.from({ length: 101 }, () => '1').join() }),
  read('units', '/v1/states', {}, 'units'),
  read('units', '/v1/lgas', { state: 'marembe' }, 'units'),
  read('units', '/v1/wards', { state: 'marembe', lga: 'lakeside' }, 'units'),
  read('records', data, { ids }),
  read('records', data, { ids, datasets: 'lyr_market,lyr_population' }),
  read('records', data, { ids, datasets: 'lyr_nothing' }),
  read('records', data, { ids, price: true }),
  ask({ frameIds: ids.split(','), question: 'how many people live here' }),
  ask({ frameIds: ids.split(','), question: 'how many shops are there', format: 'figures' }),
  ask({ frameIds: ids.split(',') }),
  ask({ frameIds: ['1'], radius: 4 }),
]
