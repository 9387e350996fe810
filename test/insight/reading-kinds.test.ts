/** Kinds of words that strangers used, by a catalogue that has what the invented country has not. */
import assert from 'node:assert/strict'
import { readQuestion } from '../../src/core/insight/reading/read.js'
import { attribute, catalogueOf, category, features, property, topicOf } from './made-catalogue.js'
import { textOfReading } from './seen.js'

const people = { unit: 'people', counted: ['people'], names: ['population', 'people', 'residents', 'how many people'] }
const number = (layerId: string, name: string, unit?: string) =>
  topicOf({ kind: 'property', layerId, property: name }, name, { kind: 'points', unit })
const catalogue = catalogueOf([
  attribute('pop_25', 'Population, 2025 estimate', { ...people, years: [2025] }),
  attribute('pop_26', 'Population, 2026 estimate', { ...people, years: [2026] }),
  attribute('old_65', 'Aged 65 and over', { unit: 'people', names: ['elderly'] }),
  attribute('sun_h', 'Sunshine', { unit: 'hours per year', summary: 'mean' }),
  attribute('crop_t', 'Rice harvest', { unit: 't per year', names: ['rice'] }),
  attribute('shop_ct', 'Shops', { unit: 'shops' }),
  attribute('access_pct', 'Electricity access', { unit: '% of households', summary: 'weighted_mean' }),
  features('stops', 'Bus stops', { names: ['stop'] }),
  property('stops', 'lit', ['no', 'yes']),
  property('stops', 'sheltered', ['no', 'yes']),
  features('libraries', 'Libraries', { names: ['library'] }),
  property('libraries', 'wifi', ['no', 'yes']),
  number('libraries', 'hours_per_week', 'hours per week'),
  features('lines', 'Power lines', { kind: 'lines', names: ['line'] }),
  number('lines', 'voltage', 'kV'),
  property('lines', 'rank', ['Main', 'Other']),
  category('rur_rur', 'Rural or urban', ['Rural', 'Urban']),
  category('adm_state', 'State', ['MAREMBE']),
])

const KINDS: readonly (readonly [kind: string, ...rows: (readonly [question: string, reads: string])[]])[] = [
  [
    'two negations joined',
    [
      'How many bus stops are neither lit nor sheltered?',
      'figure stops {"figure":{"of":{"things":"stops","where":{"not":{"any":[{"name":"lit","is":["yes"]},{"name":"sheltered","is":["yes"]}]}},"how":"count"}}}',
    ],
    [
      'Bus stops that are neither sheltered nor lit in Marembe',
      'figure stops {"figure":{"of":{"things":"stops","among":{"units":"state","named":["MAREMBE"]},"where":{"not":{"any":[{"name":"sheltered","is":["yes"]},{"name":"lit","is":["yes"]}]}},"how":"count"}}}',
    ],
    [
      "Bus stops that aren't lit and aren't sheltered",
      'figure stops {"figure":{"of":{"things":"stops","where":{"all":[{"not":{"name":"lit","is":["yes"]}},{"not":{"name":"sheltered","is":["yes"]}}]},"how":"count"}}}',
    ],
  ],
  [
    'adverbs, and apostrophes left out',
    ['Which libraries still dont have wifi?', 'class libraries.wifi {"value":"no"}'],
    ['Which libraries already have wifi?', 'class libraries.wifi {"value":"yes"}'],
    [
      'Which districts dont yet have a library?',
      'figure libraries {"figure":{"of":{"things":"libraries","how":"count"},"by":{"level":"lga"},"having":{"equals":"0"}}}',
    ],
    ['Stops yet to be lit', 'near class stops.lit {"value":"yes"} | not "yet"'],
  ],
  [
    'a noun of people behind another name of people',
    ['How many elderly people live in Marembe?', 'usual old.old_65 in Marembe'],
    ['What share of elderly people live in Marembe?', 'portion old.old_65 in Marembe'],
    ['Share of elderly people in Marembe', 'near portion old.old_65 in Marembe | not "people"'],
  ],
  [
    'a bound of a share that the catalogue records',
    [
      'How many people live where electricity access is below 30%?',
      'usual pop.pop_26 where access.access_pct bounds 30',
    ],
    [
      'frames where electricity access is above 30 percent',
      'frames access.access_pct where access.access_pct bounds 30',
    ],
    [
      'Which districts have at least 40% of their people in urban frames?',
      'figure pop.pop_26 {"figure":{"of":{"where":{"of":"rur","name":"rur_rur","is":["Urban"]},"how":"sum","subject":{"of":"pop","name":"pop_26"}},"op":"percent","to":{"how":"sum","subject":{"of":"pop","name":"pop_26"}},"by":{"level":"lga"},"having":{"atLeast":"40"}}}',
    ],
    ['What share of people live in urban frames, in percent?', 'portion pop.pop_26 where rur.rur_rur class Urban'],
    [
      'Which districts have an electricity access over 90%?',
      'figure access.access_pct {"figure":{"of":{"how":"weighted_mean","subject":{"of":"access","name":"access_pct"}},"by":{"level":"lga"},"having":{"above":"90"}}}',
    ],
    [
      'frames with less than 20 percent electricity access',
      'frames access.access_pct where access.access_pct bounds 20',
    ],
  ],
  [
    'a class that is a word of the language, beside its features',
    ['How many main power lines are there?', 'class lines.rank {"value":"Main"}'],
    ['main libraries', 'near usual libraries | not "main"'],
  ],
  [
    'a number with the unit of a property',
    [
      'How many power lines run at 132 kV?',
      'figure lines {"figure":{"of":{"things":"lines","where":{"name":"voltage","equals":"132"},"how":"count"}}}',
    ],
    [
      'Length of the 132 kV lines',
      'figure lines {"figure":{"of":{"things":"lines","where":{"name":"voltage","equals":"132"},"how":"sum","subject":{"extent":true}}}}',
    ],
    [
      'Power lines over 100 kV',
      'figure lines {"figure":{"of":{"things":"lines","where":{"name":"voltage","above":"100"},"how":"count"}}}',
    ],
    [
      'Power lines of 100 kV or more',
      'figure lines {"figure":{"of":{"things":"lines","where":{"name":"voltage","atLeast":"100"},"how":"count"}}}',
    ],
    [
      'How many power lines have a voltage of 132 kV?',
      'figure lines {"figure":{"of":{"things":"lines","where":{"name":"voltage","equals":"132"},"how":"count"}}}',
    ],
  ],
  [
    'a period that is in the unit',
    ['How many hours of sunshine per year?', 'usual sun.sun_h'],
    [
      'Libraries with more than 40 hours per week',
      'figure libraries {"figure":{"of":{"things":"libraries","where":{"name":"hours_per_week","above":"40"},"how":"count"}}}',
    ],
    [
      'Libraries with over 40 hours a week',
      'figure libraries {"figure":{"of":{"things":"libraries","where":{"name":"hours_per_week","above":"40"},"how":"count"}}}',
    ],
    [
      'Tonnes of rice a year by state',
      'figure crop.crop_t {"figure":{"of":{"how":"sum","subject":{"of":"crop","name":"crop_t"}},"by":{"level":"state"}}}',
    ],
    ['How many libraries are there per year?', 'near usual libraries | not "per year"'],
    ['Sunshine per week', 'near usual sun.sun_h | not "per week"'],
  ],
  [
    'up or down',
    [
      'Did the population of Marembe go up or down between 2025 and 2026?',
      'change pop.pop_26 {"other":"pop.pop_25"} in Marembe',
    ],
  ],
  [
    'an institution with the name of a place',
    ['The Marembe Herald asks how many libraries there are', 'usual libraries'],
    ['According to the Marembe Herald, how many people live in Marembe?', 'usual pop.pop_26 in Marembe'],
    [
      'A reader in Marembe asks how many libraries there are',
      'near usual libraries in Marembe | not "reader" | not "asks"',
    ],
  ],
  [
    'a limit behind several figures',
    [
      'Population and shops in urban frames',
      'usual pop.pop_26 where rur.rur_rur class Urban | usual shop.shop_ct where rur.rur_rur class Urban',
    ],
    [
      'How many people and how many libraries are in urban frames?',
      'usual pop.pop_26 where rur.rur_rur class Urban | usual libraries where rur.rur_rur class Urban',
    ],
    [
      'How many people live here and how many libraries are in urban frames?',
      'usual pop.pop_26 | usual libraries where rur.rur_rur class Urban',
    ],
    ['Shops and rural population', 'usual shop.shop_ct | usual pop.pop_26 where rur.rur_rur class Rural'],
    [
      'Population and share of shops in urban frames',
      'usual pop.pop_26 | portion shop.shop_ct where rur.rur_rur class Urban',
    ],
  ],
  [
    'an article that is one, and a way on foot',
    [
      'Stops within a kilometre of a library',
      'figure stops {"figure":{"of":{"things":"stops","where":{"near":"libraries","metres":1000},"how":"count"}}}',
    ],
  ],
  [
    'a rate behind several counts',
    [
      'How many stops and libraries per 1,000 people?',
      'per stops {"other":"pop.pop_26","times":"1000"} | per libraries {"other":"pop.pop_26","times":"1000"}',
    ],
    [
      'How many stops and how many libraries per 1,000 people?',
      'usual stops | per libraries {"other":"pop.pop_26","times":"1000"}',
    ],
  ],
  [
    'either of two',
    [
      'Are there more people in urban frames or in rural frames?',
      'usual pop.pop_26 where rur.rur_rur class Urban | usual pop.pop_26 where rur.rur_rur class Rural',
    ],
    [
      'Are there more libraries in urban areas or in rural areas?',
      'usual libraries where rur.rur_rur class Urban | usual libraries where rur.rur_rur class Rural',
    ],
    [
      'People in urban frames and in rural frames with a library',
      'usual pop.pop_26 where rur.rur_rur class Urban | usual pop.pop_26 where libraries any, rur.rur_rur class Rural',
    ],
    [
      'How many urban frames and rural frames have a library?',
      'class rur.rur_rur {"value":"Urban"} | near frames libraries where libraries any, rur.rur_rur class Rural | not "rural frames have library"',
    ],
  ],
  [
    'what is behind one of two alike',
    [
      'How many wards have no library but a stop?',
      'figure frames {"figure":{"of":{"things":"ward","where":{"all":[{"units":"ward","figure":{"of":{"things":"libraries","how":"count"}},"equals":"0"},{"units":"ward","figure":{"of":{"things":"stops","how":"count"}},"above":"0"}]},"how":"count"}}}',
    ],
    [
      'Which districts have no library, and how many stops?',
      'figure libraries {"figure":{"of":{"things":"libraries","how":"count"},"by":{"level":"lga"},"having":{"equals":"0"}}} | usual stops',
    ],
    [
      'Lit stops and sheltered stops within 1 km of a library',
      'class stops.lit {"value":"yes"} | near figure stops {"figure":{"of":{"things":"stops","where":{"all":[{"near":"libraries","metres":1000},{"name":"sheltered","is":["yes"]}]},"how":"count"}}} | not "sheltered stops within 1 km of library"',
    ],
  ],
]

describe('the reading of kinds of words', () => {
  for (const [kind, ...rows] of KINDS)
    it(kind, () => {
      for (const [question, reads] of rows)
        assert.equal(textOfReading(readQuestion(catalogue, question, { level: 'country' })), reads, question)
    })
})
