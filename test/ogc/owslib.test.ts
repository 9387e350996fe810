import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { service } from '../support/service.js'
import { everyItem, found, query, type CollectionDocument } from './ogc-calls.js'

/** Reads what a person with OWSLib reads: collections, and a state to its end, plain, in metres and with a filter. */
const PROGRAM = `
import json, sys
from urllib.parse import urlsplit, parse_qsl
from owslib.ogcapi.features import Features

url, secret = sys.argv[1:]
api = Features(url, headers={'Authorization': 'Bearer ' + secret})

def every(collection, **asked):
    ids = []
    while True:
        page = api.collection_items(collection, **asked)
        ids += [feature['id'] for feature in page['features']]
        following = [link['href'] for link in page['links'] if link['rel'] == 'next']
        if not following:
            return ids, page['features'][-1]['geometry']
        asked = dict(parse_qsl(urlsplit(following[0]).query))
        if 'bbox' in asked:
            asked['bbox'] = asked['bbox'].split(',')

metres = 'http://www.opengis.net/def/crs/EPSG/0/3857'
state = "state = 'MAREMBE'"
print(json.dumps({
    'openapi': api.api()['openapi'],
    'conformance': api.conformance()['conformsTo'],
    'collections': api.feature_collections(),
    'queryables': list(api.collection_queryables('lyr_population')['properties']),
    'state': every('lyr_population', filter=state, limit=500)[0],
    'box': every('frames', bbox=[0.001, 0.001, 0.099, 0.049], limit=7)[0],
    'metres': every('frames', filter=state, crs=metres, limit=5000)[1],
    'item': api.collection_item('lyr_schools', 'school_007')['id'],
}))
`

type Read = {
  openapi: string
  conformance: string[]
  collections: string[]
  queryables: string[]
  state: string[]
  box: string[]
  metres: object
  item: string
}

describe('OWSLib', function () {
  this.timeout(120_000)

  it('reads the collections, a state to its end with a filter, a box, metres and one item', async () => {
    const { url, secret } = service()
    const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', PROGRAM, `${url}/ogc`, secret], {
      maxBuffer: 64 * 1024 * 1024,
    })
    const read = JSON.parse(stdout) as Read
    const { collections } = await found<{ collections: CollectionDocument[] }>('/collections')
    assert.deepEqual(
      read.collections,
      collections.map(({ id }) => id),
    )
    assert.match(read.openapi, /^3\.0/)
    assert.ok(read.conformance.includes('http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core'))
    assert.deepEqual(read.queryables, ['geometry', 'state', 'lga', 'ward', 'pop_demest25', 'pop_demest26'])
    const ids = async (collection: string, parameters: Record<string, string | number>) =>
      (await everyItem(`/collections/${collection}/items?${query(parameters)}`)).map(({ id }) => id)
    assert.deepEqual(read.state, await ids('lyr_population', { filter: "state = 'MAREMBE'", limit: 5000 }))
    assert.ok(read.state.length > 1000)
    assert.deepEqual(read.box, await ids('frames', { bbox: '0.001,0.001,0.099,0.049' }))
    const crs = 'http://www.opengis.net/def/crs/EPSG/0/3857'
    const inMetres = await everyItem(
      `/collections/frames/items?${query({ filter: "state = 'MAREMBE'", crs, limit: 5000 })}`,
    )
    assert.deepEqual(read.metres, inMetres.at(-1)?.geometry)
    assert.equal(read.item, 'school_007')
  })
})
