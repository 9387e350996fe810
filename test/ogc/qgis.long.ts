/**
 * QGIS reads /ogc as its provider "OGC API - Features" does it, without a window. Needs Debian's python3-qgis,
 * qgis-providers and xvfb: npm run test:qgis.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/core/db/statement.js'
import { service } from '../support/service.js'
import { everyItem, query } from './ogc-calls.js'

/** QGIS 3.22 of Debian has no method "API Header": a preprocessor of its requests adds the header. */
const PROGRAM = `
import json, os, sys
from qgis.core import (QgsApplication, QgsCoordinateReferenceSystem, QgsFeature, QgsFeatureRequest, QgsGeometry,
    QgsNetworkAccessManager, QgsPointXY, QgsProcessingContext, QgsProcessingFeedback, QgsProject, QgsRectangle,
    QgsVectorLayer)

url, secret, script = sys.argv[1:]
QgsApplication.setPrefixPath('/usr', True)
app = QgsApplication([], False)
app.initQgis()
asked = []

def add_key(request):
    address = request.url().toString()
    if address.startswith(url):
        request.setRawHeader(b'Authorization', b'Bearer ' + secret.encode())
        asked.append(address[len(url):])

def layer(name, more=''):
    return QgsVectorLayer(f"url='{url}' typename='{name}' pageSize='5000' {more}", name, 'OAPIF')

def read(found, request=None):
    asked.clear()
    rows = [[each['id'], each.geometry().boundingBox().xMinimum(), each.attributes()]
        for each in found.getFeatures(request or QgsFeatureRequest())]
    return {'rows': rows, 'asked': list(asked)}

said = {'without': layer('lyr_population').isValid(), 'methods': QgsApplication.authManager().authMethodsKeys()}
QgsNetworkAccessManager.setRequestPreprocessor(add_key)
people = layer('lyr_population')
said['fields'] = {each.name(): each.typeName() for each in people.fields()}
said['crs'] = people.crs().authid()
said['whole'] = read(people)
metres = QgsFeatureRequest().setDestinationCrs(
    QgsCoordinateReferenceSystem('EPSG:3857'), QgsProject.instance().transformContext())
said['metres'] = read(people, metres)
filtered = layer('lyr_population')
filtered.setSubsetString("state = 'MAREMBE'")
said['subset'] = read(filtered)
box = QgsFeatureRequest(QgsRectangle(0.201, 0.101, 0.299, 0.199))
said['box'] = read(layer('lyr_population', "restrictToRequestBBOX='1'"), box)
QgsNetworkAccessManager.setRequestPreprocessor(lambda request: None)
sys.path.append(os.path.dirname(script))
from add_frame_columns import AddFrameColumns
shops = QgsVectorLayer('Point?crs=EPSG:3857&field=shop:string', 'shops', 'memory')
for name, x in [('Quay', 22820.5), ('Sea', 2e6)]:
    shop = QgsFeature(shops.fields())
    shop.setAttributes([name])
    shop.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(x, 11688.5)))
    shops.dataProvider().addFeature(shop)
values = {'LAYER': shops, 'SERVICE': url[:-4], 'KEY': secret, 'CREDITS': 0, 'OUTPUT': 'memory:',
    'COLUMNS': 'frame,ward,lyr_population.pop_demest26'}
context = QgsProcessingContext()
algorithm = AddFrameColumns()
algorithm.initAlgorithm()
out, ok = algorithm.run(values, context, QgsProcessingFeedback())
said['columns'] = [each.attributes() for each in context.getMapLayer(out['OUTPUT']).getFeatures()]
print(json.dumps(said, default=str), flush=True)
# QGIS ends with a fault of its own where Python ends first.
os._exit(0)
`

type Read = { rows: [id: string, west: number, attributes: unknown[]][]; asked: string[] }
type Said = {
  without: boolean
  methods: string[]
  fields: Record<string, string>
  crs: string
  whole: Read
  metres: Read
  subset: Read
  box: Read
  columns: unknown[][]
}

const script = fileURLToPath(new URL('clients/qgis/add_frame_columns.py', projectFolder))

describe('QGIS', function () {
  this.timeout(600_000)
  let said: Said
  before(async () => {
    const { url, secret } = service()
    const words = ['-a', '/usr/bin/python3', '-c', PROGRAM, `${url}/ogc`, secret, script]
    const { stdout } = await promisify(execFile)('xvfb-run', words, { maxBuffer: 64 * 1024 * 1024 })
    said = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Said
  })

  const ids = async (parameters: Record<string, string>) =>
    (await everyItem(`/collections/lyr_population/items?${query({ ...parameters, limit: 5000 })}`)).map(({ id }) => id)
  const idsOf = ({ rows }: Read) => rows.map(([id]) => id)

  it('reads a whole collection to its end, with its values', async () => {
    const items = await everyItem(`/collections/lyr_population/items?${query({ limit: 5000 })}`)
    assert.deepEqual(
      said.whole.rows.map(([id, , attributes]) => [id, attributes.at(-1)]),
      items.map(({ id, properties }) => [id, properties['pop_demest26']]),
    )
    assert.equal(said.whole.asked.length, 3, 'three pages')
    assert.equal(said.crs, 'EPSG:4326')
    assert.deepEqual(said.fields['pop_demest26'], 'Integer')
  })

  it('projects to metres itself, and asks for degrees', () => {
    assert.deepEqual(idsOf(said.metres), idsOf(said.whole))
    const metres = ((said.whole.rows[0]?.[1] ?? NaN) * 20_037_508.342789244) / 180
    assert.ok(Math.abs((said.metres.rows[0]?.[1] ?? NaN) - metres) < 0.01)
    assert.ok(said.metres.asked.every((address) => !address.includes('crs')))
  })

  it('evaluates the filter of a layer itself, and asks for every page', async () => {
    assert.deepEqual(idsOf(said.subset), await ids({ filter: "state = 'MAREMBE'" }))
    assert.ok(said.subset.asked.every((address) => !address.includes('filter')))
  })

  it('asks for what the map shows alone, where the connection says so', async () => {
    assert.deepEqual(idsOf(said.box), await ids({ bbox: '0.201,0.101,0.299,0.199' }))
    assert.match(said.box.asked.join(), /bbox=0\.20/)
  })

  it('of Debian 12 has no method of authentication with a header of its own, and reads nothing without one', () => {
    assert.equal(said.without, false)
    assert.ok(!said.methods.includes('APIHeader'), said.methods.join())
  })

  it('adds columns to a layer in metres by the script of docs/gis.md, and keeps a feature off the grid', () => {
    assert.deepEqual(said.columns[0], ['Quay', '324378020', 'LAKE ISLAND', 0, 'NULL'])
    assert.deepEqual(said.columns[1]?.slice(0, 1), ['Sea'])
    assert.equal(said.columns[1]?.at(-1), 'No frame contains this point.')
  })
})
