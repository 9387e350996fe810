-- Up Migration

-- A baseline may repeat the LGA or the ward of each frame, and several units may have one name. Figures of its classes tell
-- them apart. The next step of migrate looks for such attributes in the datasets that are here.

alter table attribute
  add column repeats text constraint repeated_level_known check (repeats in ('lga', 'ward')),
  add column shared text[];
comment on column attribute.repeats is 'lga or ward, where most of its values are the name of the unit that the frame lies in.';
comment on column attribute.shared is
  'Its values that several of these units have as their name; null where no release has looked. Function unit_class tells such units apart.';
comment on constraint repeated_level_known on attribute is 'The names of LGAs and of wards repeat in a country.';
