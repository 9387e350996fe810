/** Reads what the pages about datasets show. An organisation learns nothing of a dataset that it may not read. */
import type { Request } from 'express'
import type { DatasetColumn, Described } from './rows.js'
import { type DatasetRow, type Reader, withDeadline } from '../../core/db/index.js'
import { visibleDatasets } from '../../core/datasets/index.js'
import type { Services } from '../../services.js'
import { personAuthority } from '../shell/person-authority.js'
import { sessionOf } from '../shell/session.js'
import { columnsOfDatasets, datasetsDescribed } from './statements.js'

export type CatalogueDataset = DatasetRow & Described & { columns: DatasetColumn[] }

/** The datasets that a key of the organisation could read, by name. Values are read elsewhere, and of free ones only. */
export async function readDatasets(
  { authorityReader }: Services,
  req: Request,
  reader: Reader,
): Promise<CatalogueDataset[]> {
  const person = personAuthority(sessionOf(req))
  const visible = await visibleDatasets(withDeadline(authorityReader, req.context.deadline), reader, person)
  const layers = visible.map(({ layerId }) => layerId)
  if (layers.length === 0) return []
  const [described, columns] = await Promise.all([
    datasetsDescribed(reader, layers, person.orgId),
    columnsOfDatasets(reader, layers),
  ])
  const byLayer = new Map(described.map((row) => [row.layerId, row]))
  return visible
    .flatMap((dataset, i) => {
      const more = byLayer.get(dataset.layerId)
      return more ? [{ ...dataset, ...more, columns: columns.filter(({ layer }) => layer === i + 1) }] : []
    })
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}

/** A dataset that holds every word, in any of its texts. */
export function found(datasets: readonly CatalogueDataset[], words: string): CatalogueDataset[] {
  const wanted = folded(words).split(/\s+/).filter(Boolean)
  return datasets.filter((dataset) => {
    const text = folded(textsOf(dataset).join('\n'))
    return wanted.every((word) => text.includes(word))
  })
}

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const textsOf = ({ layerId, name, category, owner, vintage, description, columns }: CatalogueDataset): string[] => [
  layerId,
  name,
  category,
  owner,
  vintage ?? '',
  description ?? '',
  ...columns.flatMap((column) => [column.name, column.label, column.description ?? '', ...column.synonyms]),
]
