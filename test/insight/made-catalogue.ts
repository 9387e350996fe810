/** Catalogues of a few topics, for tests of the reading without a database. */
import type { Catalogue } from '../../src/core/insight/reading/catalogue.js'
import { cuesOfPlaces } from '../../src/core/insight/reading/cues.js'
import { nameIndex } from '../../src/core/insight/reading/names.js'
import type { Subject } from '../../src/core/figures/subject.js'
import type { Topic } from '../../src/core/insight/reading/topic.js'
import { fold, plainWordsOf } from '../../src/core/insight/reading/words.js'

type Given = Partial<Omit<Topic, 'subject' | 'label' | 'names'>> & { names?: string[] }

export function topicOf(subject: Subject, label: string, { names = [], ...given }: Given): Topic {
  const series = `${JSON.stringify('layerId' in subject ? subject.layerId : '')} ${label.replace(/\d{4}/, '')}`
  return {
    subject, label, names: [label, ...names], datasetNames: [], type: 'number', summary: 'sum', unit: undefined,
    kind: 'frames', years: [], series, classes: [], ...given,
  } // prettier-ignore
}

export const attribute = (name: string, label: string, given: Given) =>
  topicOf({ kind: 'attribute', layerId: name.split('_')[0] ?? '', attribute: name }, label, given)
export const category = (name: string, label: string, classes: string[], names: string[] = []) =>
  attribute(name, label, { type: 'category', summary: 'mode', classes, names })
export const features = (layerId: string, label: string, given: Given) =>
  topicOf({ kind: 'features', layerId }, label, { type: 'features', summary: 'count', kind: 'points', ...given })

export const property = (layerId: string, name: string, classes: string[]) =>
  topicOf({ kind: 'property', layerId, property: name }, name, { kind: 'points', type: 'category', classes })

const stemOf = (word: string) => (word.length > 3 ? word.replace(/s$/, '') : word)
export const catalogueOf = (all: readonly Topic[]): Catalogue => {
  const words = all.flatMap(({ names, classes }) => [...names, ...classes].flatMap(plainWordsOf))
  const stems = new Map(words.map((word) => [fold(word), stemOf(fold(word))]))
  return {
    topics: all,
    names: nameIndex(all, stems),
    stemOf,
    units: new Map(),
    allUnits: new Map(),
    placeCues: cuesOfPlaces([
      ['lga', 'district'],
      ['country', 'Velmora'],
    ]),
    suggestions: new Map(),
  }
}
