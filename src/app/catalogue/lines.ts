/** Writes the lines with which QGIS, psql, ogr2ogr and curl read a dataset. */
import { curlLine } from '../shell/api-call.js'
import { copyableText } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import type { Place } from '../../core/origin.js'
import { analystLogin, hostNote, psqlLine, type Login } from '../shell/psql-line.js'
import type { CatalogueDataset } from './data.js'

const TYPES: Readonly<Record<CatalogueDataset['kind'], string>> = {
  frames: 'MultiPolygon',
  points: 'MultiPoint',
  lines: 'MultiLineString',
  polygons: 'MultiPolygon',
}

/** PostgreSQL folds a name to lower case unless it stands in quotes. */
const quoted = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name}"`)

/** A source that QGIS takes: Layer > Add Layer > Add PostGIS Layers finds the same in schema analyst. */
const qgisSource = ({ viewName, kind }: CatalogueDataset, { database, user }: Login): string =>
  `dbname='${database}' host='HOST' port=5432 user='${user}' key='${kind === 'frames' ? 'frame_id' : 'id'}' srid=4326 type=${TYPES[kind]} table="analyst"."${viewName}" (geom)`

const rowsByLga = ({ viewName }: CatalogueDataset): string =>
  `select state, lga, count(*) from analyst.${quoted(viewName)} group by state, lga order by state, lga`

const ogrLine = ({ layerId, viewName }: CatalogueDataset, { database, user }: Login): string =>
  `ogr2ogr ${layerId}.gpkg "PG:host=HOST dbname=${database} user=${user} schemas=analyst" analyst.${viewName} -nln ${layerId}`

/** A dataset that costs is asked for its price: this reads no value, and is charged nothing. */
const callLine = ({ layerId, price }: CatalogueDataset, frameId: string, place: Place): string =>
  curlLine(
    {
      method: 'GET',
      path: `/v1/frames/data?ids=${frameId}&datasets=${encodeURIComponent(layerId)}${price === null ? '' : '&price=true'}`,
      body: undefined,
    },
    place,
  )

type Reading = { dataset: CatalogueDataset; frameId: string | undefined; isEmbedded: boolean; place: Place }

/** An analyst of the database pays nothing, so a dataset that costs has the line of the API alone. */
export function linesSection({ dataset, frameId, isEmbedded, place }: Reading): Html {
  const login = analystLogin({ isEmbedded })
  return html`<section>
    <h2>Read it with</h2>
    ${
      dataset.price === null &&
      html`<p class="quiet">${hostNote({ isEmbedded })}</p>
        <h3>QGIS</h3>
        ${copyableText('qgis-line', qgisSource(dataset, login), 'Source for QGIS')}
        <h3>psql</h3>
        ${copyableText('psql-line', psqlLine(login, rowsByLga(dataset)), 'Line of psql')}
        <h3>ogr2ogr</h3>
        ${copyableText('ogr-line', ogrLine(dataset, login), 'Line of ogr2ogr')}`
    }
    ${
      frameId !== undefined &&
      html`<h3>curl</h3>
        ${copyableText('curl-line', callLine(dataset, frameId, place), 'Line of curl')}`
    }
  </section>`
}
