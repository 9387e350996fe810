/** GET /app/datasets/{id}: what a dataset is and costs, its attributes, how their values spread, and how to read it. */
import type { RequestHandler } from 'express'
import type { CatalogueFigures, DatasetColumn } from '../catalogue/rows.js'
import { chosenSection, classTable, numbersOf, smallHistogram, type ChosenSubject } from '../catalogue/chosen.js'
import { type CatalogueDataset, readDatasets } from '../catalogue/data.js'
import { frameWithRecord } from '../catalogue/statements.js'
import { readValues, datasetSubjects, type Values } from '../catalogue/values.js'
import { itemsText, kindText, licenceSentence, summaryText, sureText, valueText } from '../catalogue/words.js'
import { totalsOfDatasetSelect } from '../map/other-ways.js'
import { curlLine, analystLogin, hostNote, psqlLine, type Login } from '../shell/api-call.js'
import { groupedNumber } from '../shell/chart.js'
import { type Column, copyableText, factList, folded, instant, table, tableSection } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { noDatasetPage } from '../shell/refusals.js'
import { sendPage } from '../shell/send-page.js'
import { showSql } from '../shell/show-sql.js'
import type { ServedAt } from '../../core/origin.js'
import type { Services } from '../../services.js'

export function datasetRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const reader = services.readerForRequest(req.context.deadline)
    const datasets = await readDatasets(services, req, reader)
    const dataset = datasets.find(({ layerId }) => layerId === req.params['layerId'])
    if (!dataset) throw noDatasetPage(String(req.params['layerId']))
    const [values, [example]] = await Promise.all([
      dataset.price === null ? readValues(reader, dataset, req) : undefined,
      frameWithRecord(reader, dataset.layerId),
    ])
    const { place, isEmbedded } = req.visit
    sendPage(res, {
      title: dataset.name,
      section: '/datasets',
      ...(values && { actions: mapButton(place.app, dataset, values.chosen.subject.name) }),
      body: html`
        ${factsSection(dataset)} ${attributeSections({ dataset, values, app: place.app })}
        ${values && chosenSection(values.chosen)}
        ${
          values &&
          showSql(req, {
            of: 'panel',
            subject: `${dataset.name}: ${values.chosen.subject.label}`,
            statements: values.statements,
            analyst: totalsOfDatasetSelect(dataset.layerId, values.chosen.subject.name),
          })
        }
        ${linesSection({ dataset, frameId: example?.id, isEmbedded, place })}
      `,
    })
  }
}

const mapButton = (app: string, { layerId, kind }: CatalogueDataset, attribute: string): Html => {
  const name = kind === 'frames' ? attribute : 'features'
  return html`<a
    class="button"
    href="${app}/map?dataset=${encodeURIComponent(layerId)}&amp;attribute=${encodeURIComponent(name)}"
    >Show on the map</a
  >`
}

function factsSection(dataset: CatalogueDataset): Html {
  const { layerId, description, category, vintage, owner, columns, importedAt } = dataset
  const { url, ...origin } = JSON.parse(dataset.origin) as Record<string, string | undefined> & { flags?: string[] }
  const methods = [...new Set(columns.flatMap(({ method }) => method ?? []))]
  const facts: Parameters<typeof factList>[0] = [
    ['Id', html`<code>${layerId}</code>`],
    ['Category', category],
    ['Vintage', vintage],
    ['Method', methods.join(', ')],
    ['Source', origin['source']],
    ['Published at', url && html`<a href="${url}" rel="noreferrer">${url}</a>`],
    ['Terms', origin['licence']],
    ['Cite as', origin['citation']],
    ['Released', origin['released']],
    ['Quality', origin.flags?.join(', ')],
    ['Owner', owner],
    ['Licence', licenceSentence(dataset)],
    ['Holds', `${itemsText(dataset)}, ${kindText(dataset)}`],
    ['Imported', instant(importedAt)],
  ]
  return html`${description !== null && html`<p class="lead">${description}</p>`} ${factList(facts, true)}`
}

type ShownDataset = { dataset: CatalogueDataset; values: Values | undefined; app: string }

function attributeSections(shown: ShownDataset): Html {
  const { dataset, values } = shown
  const isBaseline = dataset.kind === 'frames'
  return html`
    ${isBaseline && tableSection('Attributes', 'Attributes', attributesTable(shown), dataset.columns)}
    ${
      !isBaseline &&
      values &&
      tableSection('On frames', 'Features on frames', subjectColumns(shown), datasetSubjects(dataset))
    }
    ${
      !isBaseline &&
      dataset.columns.length > 0 &&
      html`<section>
        <h2>Properties of its features</h2>
        ${table('Properties', propertyColumns(values), dataset.columns)}
        ${values && dataset.columns.map((column) => propertyValues(column, values))}
      </section>`
    }
    ${!values && html`<p class="notice plain">Its values cost credits, so this page shows none of them.</p>`}
  `
}

type SubjectColumn = Column<ChosenSubject>

/** Range, gaps and spread: these are values, so a dataset that costs has none of the columns. */
function subjectColumns({ dataset, values, app }: ShownDataset): SubjectColumn[] {
  if (!values) return []
  const figuresOf = ({ name }: ChosenSubject): CatalogueFigures | undefined => values.figures.get(name)
  const path = `${app}/datasets/${encodeURIComponent(dataset.layerId)}`
  const nameColumn: SubjectColumn = {
    heading: 'Figure',
    cell: ({ name, label, unit }) =>
      html`<a href="${path}?attribute=${encodeURIComponent(name)}#attribute"
        >${label}${unit !== null && `, ${unit}`}</a
      >`,
  }
  return [
    ...(dataset.kind === 'frames' ? [] : [nameColumn]),
    { heading: 'Lowest', cell: (subject) => boundOf(figuresOf(subject)?.lowest), align: 'number' },
    { heading: 'Highest', cell: (subject) => boundOf(figuresOf(subject)?.highest), align: 'number' },
    { heading: 'Recorded', cell: (subject) => groupedNumber(figuresOf(subject)?.recorded ?? 0), align: 'number' },
    { heading: 'Null', cell: (subject) => lackingOf(figuresOf(subject)), align: 'number' },
    {
      heading: 'Spread',
      cell: (subject) => {
        const figures = figuresOf(subject)
        const numbers = figures && numbersOf(figures)
        return numbers ? smallHistogram(numbers, subject.label) : html`<span class="quiet">no numbers</span>`
      },
    },
  ]
}

const lackingOf = (figures: CatalogueFigures | undefined): string => (figures ? groupedNumber(figures.lacking) : 'all')

const boundOf = (bound: string | null | undefined): Html | string =>
  bound === null || bound === undefined ? html`<span class="quiet">none</span>` : valueText(bound, null)

function attributesTable(shown: ShownDataset): Column<DatasetColumn>[] {
  const { dataset, values, app } = shown
  const path = `${app}/datasets/${encodeURIComponent(dataset.layerId)}`
  const label = ({ name, label: text }: DatasetColumn) =>
    values ? html`<a href="${path}?attribute=${encodeURIComponent(name)}#attribute">${text}</a>` : html`${text}`
  return [
    {
      heading: 'Attribute',
      cell: (column) =>
        html`${label(column)}<br /><code class="id">${column.name}</code>
          ${column.description !== null && html`<br /><span class="quiet">${column.description}</span>`}`,
      width: 'wide',
    },
    {
      heading: 'Type',
      cell: ({ type, unit }) => html`${type}${unit !== null && html`<br /><span class="quiet">${unit}</span>`}`,
      width: 'short',
    },
    {
      heading: 'Over frames',
      cell: (column) =>
        html`<span class="whole">${summaryText(column, dataset.columns)}</span>
          ${sureText(column) !== '' && html`<br /><span class="quiet">${sureText(column)}</span>`}`,
    },
    ...subjectColumns(shown),
  ]
}

function propertyColumns(values: Values | undefined): Column<DatasetColumn>[] {
  const recorded = new Map(values?.classes.map((row) => [row.name, row.recorded]))
  return [
    { heading: 'Property', cell: ({ name }) => html`<code>${name}</code>`, width: 'wide' },
    { heading: 'Type', cell: ({ type }) => type },
    ...(values
      ? [
          {
            heading: 'Features that record it',
            cell: ({ name }: DatasetColumn) => groupedNumber(recorded.get(name) ?? 0),
            align: 'number' as const,
          },
        ]
      : []),
  ]
}

function propertyValues({ name }: DatasetColumn, { classes }: Values): Html | false {
  const own = classes.filter((row) => row.name === name && row.value !== null)
  const [first] = own
  return first !== undefined && folded('twin', `Values of ${name}`, classTable(name, own, first.recorded ?? 0))
}

const GEOMETRY_TYPES: Readonly<Record<CatalogueDataset['kind'], string>> = {
  frames: 'MultiPolygon',
  points: 'MultiPoint',
  lines: 'MultiLineString',
  polygons: 'MultiPolygon',
}

/** PostgreSQL folds a name to lower case unless it stands in quotes. */
const sqlName = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name}"`)

/** A source that QGIS takes: Layer > Add Layer > Add PostGIS Layers finds the same in schema analyst. */
const qgisSource = ({ viewName, kind }: CatalogueDataset, { database, user }: Login): string =>
  `dbname='${database}' host='HOST' port=5432 user='${user}' key='${kind === 'frames' ? 'frame_id' : 'id'}' srid=4326 type=${GEOMETRY_TYPES[kind]} table="analyst"."${viewName}" (geom)`

const rowsByLga = ({ viewName }: CatalogueDataset): string =>
  `select state, lga, count(*) from analyst.${sqlName(viewName)} group by state, lga order by state, lga`

const ogrLine = ({ layerId, viewName }: CatalogueDataset, { database, user }: Login): string =>
  `ogr2ogr ${layerId}.gpkg "PG:host=HOST dbname=${database} user=${user} schemas=analyst" analyst.${viewName} -nln ${layerId}`

const getLine = (path: string, place: ServedAt): string => curlLine({ method: 'GET', path, body: undefined }, place)

/** A dataset that costs is asked for its price: this reads no value, and is charged nothing. */
const callLine = ({ layerId, price }: CatalogueDataset, frameId: string, place: ServedAt): string =>
  getLine(
    `/v1/frames/data?ids=${frameId}&datasets=${encodeURIComponent(layerId)}${price === null ? '' : '&price=true'}`,
    place,
  )

function fileLines({ layerId, kind }: CatalogueDataset, place: ServedAt): Html {
  const line = `${getLine(`/files/${encodeURIComponent(layerId)}.parquet`, place)} -O`
  return html`<h3>A file of the whole dataset</h3>
    <p class="quiet">
      GeoParquet; <code>.gpkg</code> in its place gives GeoPackage, and <code>.csv</code> CSV. FRAMES_KEY holds the
      secret of a key${kind !== 'frames' && ' that may read features'}.
    </p>
    ${copyableText('file-line', line, 'Line for a file')}`
}

type LinesFor = { dataset: CatalogueDataset; frameId: string | undefined; isEmbedded: boolean; place: ServedAt }

/** An analyst of the database pays nothing, so a dataset that costs has the line of the API alone. */
function linesSection({ dataset, frameId, isEmbedded, place }: LinesFor): Html {
  const login = analystLogin({ isEmbedded })
  return html`<section>
    <h2>Read it with</h2>
    ${
      dataset.price === null &&
      html`${fileLines(dataset, place)}
        <h3>QGIS</h3>
        <p class="quiet">${hostNote({ isEmbedded })}</p>
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
