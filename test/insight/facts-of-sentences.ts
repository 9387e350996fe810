/** The facts that the sentences for the check of numbers are about. */
import type { AnswerFacts } from '../../src/insight/verify.js'

const facet = (label: string, value: string) => ({ label, value })

export const sets: Record<'place' | 'pair' | 'names' | 'signs' | 'town' | 'farm' | 'coast' | 'two', AnswerFacts> = {
  place: {
    headline: 'Population, 2026 estimate, total: 20,269 people (9 frames asked).',
    facets: [
      facet('Population, 2026 estimate, total', '20,269 people'),
      facet('Population, 2025 estimate, total', '19,800 people'),
      facet('Population, 2026 estimate, highest', '10,782 people in frame 322074005'),
      facet('Buildings, total', '1,234 buildings'),
      facet('Building density, average by area', '426.05 buildings per km²'),
      facet('Mean elevation, average by area', '12.5 m'),
      facet('Mean slope, average by area', '0.29 degrees'),
      facet('Land cover, most common', 'Cropland (7 of 9 frames, 77.8 %)'),
      facet('Rural or urban, share of the most common', '45 %'),
      facet('Schools', '13'),
      facet('Clinics', '0'),
      facet('Area', '11.05 km²'),
      facet('Export value', '1,500,000'),
    ],
    frames: 9,
    frameIds: ['322074005', '322074006'],
  },
  pair: {
    headline: 'Buildings, total: 21 buildings (2 frames asked).',
    facets: [facet('Buildings, total', '21 buildings'), facet('Shops', '105'), facet('Time to market', '15 minutes')],
    frames: 2,
    frameIds: ['1', '2'],
  },
  names: {
    headline: 'Ward, most common: GRA 2 (3 of 4 frames, 75 %) (4 frames asked).',
    facets: [
      facet('Ward, most common', 'GRA 2 (3 of 4 frames, 75 %)'),
      facet('Market', 'Gate 7'),
      facet('Street', 'Twenty-First Street'),
      facet('Schools', '11'),
    ],
    frames: 4,
    frameIds: [],
  },
  town: {
    headline: 'Settlement class, most common: Town (18 of 30 frames, 60 %) (30 frames asked).',
    facets: [
      facet('Settlement class, most common', 'Town (18 of 30 frames, 60 %)'),
      facet('Settlement class, Village', '9 of 30 frames, 30 %'),
      facet('Settlement class, Hamlet', '3 of 30 frames, 10 %'),
      facet('Urban index, average by area', '0.61'),
      facet('Shops, total', '1,633 shops'),
      facet('Households, total', '12,704 households'),
      facet('Time to the nearest market, weighted average', '12.55 minutes'),
      facet('Languages in the frame, average', '4.35 languages'),
      facet('Main language, most common', 'Évorano (30 of 30 frames, 100 %)'),
      facet('Market stalls', '286'),
      facet('Main roads', '1'),
    ],
    frames: 30,
    frameIds: ['322074005'],
  },
  farm: {
    headline: 'Profile of 12 frames.',
    facets: [
      facet('Area', '14.74 km²'),
      facet('Population, 2026 estimate, total', '87 people'),
      facet('Population, 2025 estimate, total', '85 people'),
      facet('Buildings, total', '40 buildings'),
      facet('Mean elevation, average by area', '1,045.2 m'),
      facet('Mean elevation, highest', '1,102 m in frame 324378020'),
      facet('Mean elevation, lowest', '998 m in frame 324378021'),
      facet('Topsoil texture, most common', 'Sandy loam (8 of 11 frames, 72.7 %)'),
      facet('Nature reserves', '2'),
      facet('Wards', '3 wards'),
    ],
    frames: 12,
    frameIds: ['324378020', '324378021'],
  },
  coast: {
    headline: 'Mean elevation, lowest: -2.4 m in frame 320000001 (5 frames asked).',
    facets: [
      facet('Mean elevation, lowest', '-2.4 m in frame 320000001'),
      facet('Mean elevation, highest', '3.6 m in frame 320000002'),
      facet('Change of the shore', '-18 %'),
      facet('Rainfall', '2,150 mm'),
      facet('Ward, most common', 'New Layout 3 (4 of 5 frames, 80 %)'),
      facet('Fishing grounds', '6.5 ha'),
      facet('Distance to the harbour', '14 km'),
    ],
    frames: 5,
    frameIds: ['320000001', '320000002'],
  },
  two: {
    headline: 'Population, 2026 estimate, frame 700: 250 people (2 frames asked).',
    facets: [
      facet('Population, 2026 estimate, frame 700', '250 people'),
      facet('Population, 2026 estimate, frame 701', '1,100 people'),
      facet('Buildings, frame 700', '61 buildings'),
      facet('Buildings, frame 701', '244 buildings'),
    ],
    frames: 2,
    frameIds: ['700', '701'],
  },
  signs: {
    headline: 'Lowest elevation: -5 m (3 frames asked).',
    facets: [facet('Lowest elevation', '-5 m'), facet('Change', '-12.5 %'), facet('Share', '0.5')],
    frames: 3,
    frameIds: [],
  },
}

/** A sentence comes with a reason. It is about the facts of `place` unless it names another set. */
export type Sentence = [text: string, why: string, set?: keyof typeof sets]
