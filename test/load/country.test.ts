import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { listDatasets, listOrganisations } from '../../src/core/access/index.js'
import { loadFirstIndex } from '../../src/tools/cli/fixture-database.js'
import { build } from '../../src/tools/load/build.js'
import { newDatabase } from '../support/database.js'
import { fixture } from '../support/service.js'
import { plays } from '../support/transcript.js'
import { collection, feature, quiet, rectangle, temporaryFolder } from './files.js'

/** A country of ten by ten cells, from a corner in hundredths of a degree, with the ids of its first frames. */
function playsCountry(how: string, make: string, [west, south]: readonly [number, number], firstId: number): void {
  const at = (x: number, y: number) => [(west + x) / 100, (south + y) / 100]
  const cells = Array.from({ length: 100 }, (_, n) => {
    const [x, y] = [n % 10, Math.floor(n / 10)]
    const unit = { state: 'Plateau', lga: 'Highland', ward: y < 5 ? 'South Slope' : 'North Slope' }
    return feature(n + 1, rectangle(west + x, south + y, west + x + 1, south + y + 1), unit)
  })
  const points = [1, 2, 3].map((id) => feature(id, { type: 'Point', coordinates: at(id + 0.5, 0.5) }, { depth: id }))
  const line = { type: 'LineString', coordinates: [at(0.5, 0.5), at(3.5, 0.5)] }
  const wards = [2, 8].map((y) => `Plateau,Highland,${y < 5 ? 'South' : 'North'} Slope,${at(5, y).join()}`)
  const ids = [0, 1, 2, 3, 4].map((column) => firstId + column)
  const [lon, lat] = at(1.5, 0.5)
  plays(
    'load/own-country',
    'empty',
    {
      'outline.geojson': JSON.stringify(rectangle(west, south, west + 10, south + 10)),
      'wards.csv': `state,lga,ward,lon,lat\n${wards.join('\n')}\n`,
      'grid.geojson': collection(cells),
      'sites.geojson': collection([...points, feature('corner', { type: 'Point', coordinates: at(5, 5) })]),
      'track.geojson': JSON.stringify(feature(1, line)),
      'land.geojson': JSON.stringify(feature(1, rectangle(west - 5, south - 5, west + 3.5, south + 0.5))),
      'rows.csv': `frame,depth\n${ids.map((id, i) => `${id},${i * 10}`).join('\n')}\n`,
    },
    {
      how,
      make,
      ids: ids.join(),
      second: String(ids[1]),
      list: ids.join('","'),
      place: `lat=${lat}&lon=${lon}`,
      box: [...at(0, 0), ...at(10, 10)].join(),
    },
  )
}

// Both lie far from the fixture.
playsCountry(
  'built from an outline and wards',
  'build --outline ./outline.geojson --wards ./wards.csv',
  [900, 800],
  352_818_900,
)
playsCountry('a grid of its own, imported', 'import frames ./grid.geojson', [3000, -2000], 1)

const { features } = JSON.parse(readFileSync(fixture('outline.geojson'), 'utf8')) as {
  features: { geometry: unknown }[]
}
plays('load/index', 'shared', {}, { outline: JSON.stringify(features[0]?.geometry) })

it('a country that was built before the first start stays free of the invented datasets', async () => {
  const { db, drop } = await newDatabase()
  const files = temporaryFolder()
  const outline = files.write('outline.geojson', JSON.stringify(rectangle(900, 800, 905, 805)))
  const wards = files.write('wards.csv', 'state,lga,ward,lon,lat\nPlateau,Highland,Slope,9.02,8.02\n')
  await build(db, { outline, wards }, quiet)
  await loadFirstIndex(db, { progress: quiet })
  assert.deepEqual(await Promise.all([listDatasets(db.run), listOrganisations(db.run)]), [[], []])
  await drop()
})
