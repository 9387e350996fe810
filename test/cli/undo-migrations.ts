/** Statements that undo the newest migrations, so that `migrate` has them to apply again. */
const SINCE_029 = `alter table licence drop column file_price; alter table dataset drop column origin cascade, drop column property_entries cascade;
  alter table attribute drop column verbs, drop column adjectives, drop column antonyms; drop index worded_hold_key_id_idx;
  alter table api_key drop column daily_credits cascade, drop column monthly_credits cascade,
    drop column daily_words cascade, drop column monthly_words cascade;
  create trigger api_key_events after insert on api_key for each row execute function api_key_events(); drop table repeated_call`
const SINCE_022 = `${SINCE_029}; alter table feature_frame drop column number cascade, drop column extent cascade;
  drop table frame_order, value_array, value_row cascade; alter table unit drop column first_number, drop column last_number;
  drop table paid_walk; drop trigger api_key_stays_revoked on api_key;
  alter table api_key drop column revoked_for_good cascade;
  alter table attribute drop column repeats cascade, drop column shared cascade;
  drop table frame_interval, unit_interval cascade;
  alter table attribute drop column lower cascade, drop column upper cascade, drop column draws cascade`
const SINCE_020 = `${SINCE_022}; alter table worded_hold drop column key_id;
  delete from dataset where distance_to is not null; alter table dataset drop column distance_to cascade`

export const undoMigrations = (first: '020' | '022'): string =>
  `set client_min_messages = warning; ${first === '020' ? SINCE_020 : SINCE_022}; delete from migration where name >= '${first}'`
