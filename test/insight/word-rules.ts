/** Each rule of the words around a slot, with templates about the facets of words.test.ts: <S> is the slot of one. */

/** Each rule has texts that it refuses with this fault, and texts that it lets pass. */
export const wordRules: Record<string, { fault: RegExp; refused: string[]; passed: string[] }> = {
  'a name before a slot is that of its facet': {
    fault: /stands where/,
    refused: ['Schools: <SH>.', 'Shops number <S>.', 'There are <S> and the schools number <SH>.', 'Area: <S>.'],
    passed: ['Schools: <S>.', 'Shops number <SH> and schools <S>.', 'The area has <S>.'],
  },
  'a statistic is that of the slot': {
    fault: /does not describe/,
    refused: ['The most shops are <LOW>.', 'On average, shops number <HIGH>.', 'The fewest shops are <HIGH>.'],
    passed: ['The most shops are <HIGH>.', 'On average, shops number <AVG>.', 'The fewest shops are <LOW>.'],
  },
  'a year is that of the slot': {
    fault: /not of its own label/,
    refused: ['The <L:P25> is <P26>.', 'The earlier estimate is <P26>.', 'The latest estimate is <P25>.'],
    passed: ['The <L:P25> is <P25>.', 'The earlier estimate is <P25>.', 'The latest estimate is <P26>.'],
  },
  'a frame is that of the slot': {
    fault: /is not of frame/,
    refused: ['The first frame has <B>.', 'The second frame has <A>.'],
    passed: ['The first frame has <A>.', 'The second frame has <B>.'],
  },
  'a total is not for each frame': {
    fault: /not for each/,
    refused: ['Each frame has <SH>.', 'A frame has <SH>.', 'There are <S> schools in every frame.'],
    passed: ['A frame has <AVG> on average.'],
  },
  'a class before a figure is that of all frames': {
    fault: /not of all frames/,
    refused: ['The forest has <S> schools.'],
    passed: ['The urban area has <S> schools.', 'The land cover is forest (<LC>).'],
  },
  'a figure of the frames is not that of the ward': {
    fault: /of the frames, not of the whole place/,
    refused: ['<W> has <S> schools.', 'Rumueme has <S> schools.'],
    passed: ['The frames in <W> have <S> schools.', 'Around <W> there are <S> schools.'],
  },
  'before a slot stand listed words only': {
    fault: /may not stand before/,
    refused: [
      'Schools number around <S>.',
      'Schools number over <S>.',
      'The land lies at <S>.',
      'The part of <S> is here.',
    ],
    passed: [
      'Schools number <S>.',
      'Over <F> there are <S> schools.',
      'The land lies at <E>.',
      'There is a total of <S>.',
    ],
  },
  'behind a slot stand listed words only': {
    fault: /may not stand behind/,
    refused: ['There are <S> or so schools.', 'There are <S> at most.', 'There are <S> schools and others.'],
    passed: ['There are <S> schools in the area.', 'There are <S> schools and <SH>.'],
  },
  'every word is listed or is of the data': {
    fault: /is not a word of the labels/,
    refused: [
      'There are <S> mosques.',
      'Lagos has <S> schools.',
      'Akwai makarantu, <S>.',
      'The closed schools number <S>.',
    ],
    passed: ['There are <S> schools, in <W>, an urban area.'],
  },
  'a negation needs a zero, or a figure that is not there': {
    fault: /negation is refused/,
    refused: [
      'There are no schools on <AREA>.',
      'The schools do not number <S>.',
      'No facet gives the schools: <AREA>.',
    ],
    passed: [
      'The clinics number <C>: none of the frames has any (<CA>).',
      'There are no clinics: <C>.',
      'No facet gives the number of wells. Schools: <S>.',
    ],
  },
  'a trend is that of two years': {
    fault: /trend is refused/,
    refused: ['The population has fallen to <P26>.', 'Shops have grown to <SH>.'],
    passed: ['The population has risen to <P26>.', 'The population grew from <P25> to <P26>.'],
  },
  'a comparison is true': {
    fault: /comparison with "than"/,
    refused: [
      '<P25> is more than <P26>.',
      'Schools are more than shops, <SH>.',
      '<P25> exceeds <P26>.',
      'The population is <P25>. That is more than <P26>.',
      'The first frame has more shops than the second frame: <A> against <B>.',
      'There were never fewer than <HIGH>.',
    ],
    passed: [
      '<P26> is more than <P25>.',
      '<P26> exceeds <P25>.',
      'The population is <P26>. That is more than the <L:P25>, <P25>.',
      'The second frame has more shops than the first frame: <B> against <A>.',
      'There are never more than <HIGH>.',
    ],
  },
  'a range goes from the lower to the higher': {
    fault: /are no range/,
    refused: ['Shops range from <HIGH> to <LOW>.', 'The shops are between <HIGH> and <LOW>.'],
    passed: ['Shops range from <LOW> to <HIGH>.', 'The shops are between <LOW> and <HIGH>.'],
  },
  'what is alike is alike': {
    fault: /are not alike/,
    refused: ['Shops are similar, at <A> and <B>.', 'Shops are equal, at <A> and <B>.'],
    passed: ['The populations are similar, at <P25> and <P26>.'],
  },
  '"more" has a figure to compare with': {
    fault: /"More" and "less"/,
    refused: ['There are more schools, <S>.', 'The first frame has more shops, <A>, compared with <B>.'],
    passed: ['The second frame has more shops, <B>, compared with <A>.'],
  },
  '"respectively" follows the order of the frames': {
    fault: /not in that order/,
    refused: ['The frames have <B> and <A>, respectively.'],
    passed: ['The frames have <A> and <B>, respectively.'],
  },
  'nothing is told of what is outside the frames': {
    fault: /outside the frames/,
    refused: ['Beyond the frames there are <S> schools.'],
    passed: ['Nothing is given beyond the figures. Schools: <S>.'],
  },
  'what every frame has is in a figure': {
    fault: /every frame has it/,
    refused: ['All frames have a clinic. Schools: <S>.'],
    passed: ['All frames have an area. The area is <AREA>.'],
  },
  'the character of the place is in the data': {
    fault: /No figure says that the place/,
    refused: ['It is a village of <P26>.', 'The terrain is gentle, at <E>.'],
    passed: ['It is a town of <P26>.'],
  },
  'all of it needs a share of all frames': {
    fault: /do not say that all/,
    refused: ['It is entirely forest: <LC>.'],
    passed: ['It is entirely urban: <RU>.'],
  },
  'a sentence that names a label gives its figure': {
    fault: /gives no figure of it/,
    refused: ['There are clinics here. Schools: <S>.', 'The shops are near. Schools: <S>.'],
    passed: ['Here are the figures of schools. Schools: <S>.'],
  },
  'what is said of all frames needs a class of all': {
    fault: /does not say so of all frames/,
    refused: ['All frames are forest: <LC>.', 'The whole area is <LC>.', 'People speak <LC>.'],
    passed: ['The most common land cover is <LC>.', 'All frames are urban: <RU>.', 'The land cover is <LC>.'],
  },
  'what is said of most needs more than half': {
    fault: /needs more than half/,
    refused: ['The land is mostly forest: <LC>.', 'Most of the land is <LC>.'],
    passed: ['The land is mostly urban: <RU>.'],
  },
  'what is in every frame is in a figure': {
    fault: /every frame has it/,
    refused: ['Shops are found in every frame: <SH>.', 'Clinics are recorded on all frames: <CA>.'],
    passed: ['Shops are found in some frames: <SH>.'],
  },
  'frames that have none have none': {
    fault: /counts frames that have none/,
    refused: ['<NONE> have shops.', 'Shops are found in <NONE>.'],
    passed: ['<NONE> have no shops.', 'Shops, frames that have none: <NONE>.'],
  },
  'nothing is where a figure says zero': {
    fault: /says that there is none/,
    refused: ['There are clinics here: <CA>.'],
    passed: ['There are clinics in <CA>.', 'There are <C> clinics.'],
  },
  'a condition is not turned round': {
    fault: /say it so/,
    refused: ['<HIGHER> lie below that elevation.'],
    passed: ['<HIGHER> lie above that elevation.'],
  },
  'a figure is not given to another figure': {
    fault: /is not a figure of/,
    refused: ['The <S> schools have <P26>.', 'There are <SH> in <S> schools.', '<S> schools with <SH> are here.'],
    passed: ['There are <S> schools and <P26>.', 'The <S> schools have <PUPILS>.', 'The <F> have <P26>.'],
  },
  'a figure of some frames is not of all': {
    fault: /is only of the frames where/,
    refused: ['All these frames have <COND>.', 'The area has <COND>.'],
    passed: ['The frames in the delta have <COND>.', 'Shops total <COND>.'],
  },
  'a sentence before does not move a figure elsewhere': {
    fault: /The sentence before/,
    refused: ['Now to the swamp. The shops total <COND>.', 'Now to the delta. Schools number <S>.'],
    passed: ['Now to the delta. The shops total <COND>.'],
  },
  'a figure of the frames is not that of the zone': {
    fault: /not of the whole place/,
    refused: ['The shops of the zone total <SH>.', 'The state of Rumueme has <SH>.'],
    passed: ['The shops in this part of the zone total <SH>.'],
  },
  'what is recorded on some frames was not surveyed on all': {
    fault: /does not say so of all|not recorded on all/,
    refused: ['The record is complete: <REC>.', 'The survey reached all of the frames and counted <SH>.'],
    passed: ['Not all of the frames were surveyed: <REC>.', 'Shops are recorded on <REC>.'],
  },
  'high and low land is as high as its elevation': {
    fault: /so high or low/,
    refused: ['The land is high, at <E>.', 'The land is low: schools number <S>.'],
    passed: ['The land is low, at <E>.'],
  },
  'above and below are true': {
    fault: /is untrue between/,
    refused: ['The highest number of shops, <HIGH>, is well below the average of <AVG>.'],
    passed: ['The highest number of shops, <HIGH>, is well above the average of <AVG>.'],
  },
  'followed by goes from the larger class to the smaller': {
    fault: /from the larger figure to the smaller/,
    refused: ['Swamp, <SW>, is followed by forest, <FO>.'],
    passed: ['Forest, <FO>, is followed by swamp, <SW>.'],
  },
  'the class behind a slot is its own': {
    fault: /is not the class of/,
    refused: ['<FO> are swamp.'],
    passed: ['<FO> are forest.'],
  },
  'names with "than" are compared by their figures': {
    fault: /comparison with "than"/,
    refused: [
      'There is more swamp than forest: <SW> and <FO>.',
      'There are more shops than schools: <S> and <SH>.',
      'Schools outnumber shops: <S> and <SH>.',
      'Schools far outnumber clinics: <CA> and <SH>.',
    ],
    passed: [
      'There is more forest than swamp: <FO> and <SW>.',
      'There are more shops than schools: <SH> and <S>.',
      'Shops far outnumber schools: <SH> and <S>.',
    ],
  },
  'what stayed the same has one value': {
    fault: /stayed the same/,
    refused: ['The population remains at <P26>.', 'Schools stayed at <S>.'],
    passed: ['The population rose to <P26>.'],
  },
  'what differs differs, and a slight difference is small': {
    fault: /do not differ so/,
    refused: ['The frames differ in shops: <A> and <A>.', 'The difference is small: <A> and <B>.'],
    passed: ['The frames differ in shops: <A> and <B>.', 'The difference is small: <P25> and <P26>.'],
  },
  'an extreme needs a slot': {
    fault: /which is highest or lowest/,
    refused: ['The highest frame is here. Schools: <S>.'],
    passed: ['The overall figures are short. Schools: <S>.'],
  },
  'a sentence has an end': {
    fault: /sentence is too long/,
    refused: [`Schools: <S> ${'and the area '.repeat(100)}.`],
    passed: ['Schools: <S>.'],
  },
  'a number word of a label stays a number word': {
    fault: /is a number word/,
    refused: ['The two-storey houses number <TWO>.'],
    passed: ['<L:TWO>: <TWO>.'],
  },
  'a Roman numeral of a label stays a number': {
    fault: /a number outside the slots/,
    refused: ['The storey houses II number <TWO>.', 'The storey houses number 7: <TWO>.'],
    passed: ['The storey houses number <TWO>.'],
  },
  'links, entities, rules and markup are refused': {
    fault: /Links and entities|Rules of dashes|characters are refused|brace that is no slot/,
    refused: [
      'See here.area, <AREA>.',
      'It is &area; <AREA>.',
      '---\nArea: <AREA>.',
      '*The area* is <AREA>.',
      'It {is} <AREA>.',
    ],
    passed: ['- Area: <AREA>.\n- Schools: <S>.'],
  },
}
