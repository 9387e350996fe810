/** GET /app/datasets/{id}: what a dataset is and costs, its attributes, how their values spread, and how to read it. */
import type { RequestHandler } from 'express'
import type { Services } from '../../services.js'
import { chosenSection } from '../catalogue/chosen.js'
import { readCatalogue, type CatalogueDataset } from '../catalogue/data.js'
import { linesSection } from '../catalogue/lines.js'
import { frameWithRecord } from '../catalogue/statements.js'
import { readValues } from '../catalogue/values.js'
import { html, type Html } from '../shell/html.js'
import { noSuchDataset } from '../shell/refusals.js'
import { sendPage } from '../shell/send-page.js'
import { totalsOfDatasetSelect } from '../map/other-ways.js'
import { showSql } from '../shell/show-sql.js'
import type { Web } from '../shell/web.js'
import { attributeSections, factsSection } from './dataset-sections.js'

export function datasetRoute(services: Services, { isEmbedded }: Web): RequestHandler {
  return async (req, res) => {
    const reader = services.readerForRequest(req.context.deadline)
    const datasets = await readCatalogue(services, req, reader)
    const dataset = datasets.find(({ layerId }) => layerId === req.params['layerId'])
    if (!dataset) throw noSuchDataset(String(req.params['layerId']))
    const [values, [example]] = await Promise.all([
      dataset.price === null ? readValues(reader, dataset, req) : undefined,
      frameWithRecord(reader, dataset.layerId),
    ])
    const place = req.visit.place
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
