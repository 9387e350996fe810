/** Mutants of what a key opens, and of what the roles of the database may do. */
import type { Mutant } from './mutant.js'

const REACH = 'sql/datasets_in_reach.sql'
const KEYS = 'src/core/access/keys.ts'

export const accessMutants: Mutant[] = [
  {
    breaks: 'authority is remembered for a second',
    file: 'src/core/access/authority.ts',
    from: '): FindAuthority =>\n  batch(',
    to: `): FindAuthority =>
  ((ask) => {
    const find = batch(ask)
    const known = new Map()
    return (keyHash, deadline) => {
      if (!known.has(keyHash)) {
        known.set(keyHash, find(keyHash, deadline))
        setTimeout(() => known.delete(keyHash), 1000)
      }
      return known.get(keyHash)
    }
  })(`,
    tests: ['access/changes'],
    grep: 'changed in SQL between two',
  },
  {
    breaks: 'capabilities are not looked at',
    file: 'src/api/http/admit.ts',
    from: 'if (!caller.capabilities.includes(capability))',
    to: 'if (false)',
    tests: ['access/matrix'],
    grep: 'ask.query alone',
  },
  {
    breaks: 'revoked keys are let in',
    file: 'sql/key_authority.sql',
    from: 'not api_key.revoked_for_good and (api_key.revoked_at is null or api_key.revoked_at > clock_timestamp())',
    to: 'true',
    tests: ['access/matrix'],
    grep: 'revoked',
  },
  {
    breaks: 'a clock that goes back lets revoked keys in again',
    file: 'sql/key_authority.sql',
    from: 'not api_key.revoked_for_good and ',
    to: '',
    tests: ['access/rolling'],
    grep: 'at once holds for good',
  },
  {
    breaks: 'a key that was rolled is valid beyond its grace',
    file: 'sql/key_authority.sql',
    from: '(api_key.revoked_at is null or api_key.revoked_at > clock_timestamp())',
    to: 'true',
    tests: ['access/rolling'],
    grep: 'at once holds for good',
  },
  {
    breaks: 'expired keys are let in',
    file: 'sql/key_authority.sql',
    from: 'api_key.expires_at > clock_timestamp()',
    to: 'api_key.expires_at is not null',
    tests: ['access/matrix'],
    grep: 'expired',
  },
  {
    breaks: 'a narrowed key sees all datasets',
    file: REACH,
    from: '$2::text[] is null or coalesce(dataset.distance_to, dataset.layer_id) = any($2::text[])',
    to: '$2::text[] is null or true',
    tests: ['routes/data-charges'],
    grep: 'narrowed key',
  },
  {
    breaks: 'distances are read without the right to read features',
    file: 'src/core/datasets/visible.ts',
    from: "kind === 'frames' && distanceTo === null",
    to: "kind === 'frames'",
    tests: ['load/transcripts'],
    grep: 'holds feature.read',
  },
  {
    breaks: 'distances are licensed apart from their features',
    file: REACH,
    from: 'licence.layer_id = coalesce(dataset.distance_to, dataset.layer_id)',
    to: 'licence.layer_id = dataset.layer_id',
    tests: ['load/transcripts'],
    grep: 'once a call',
  },
  {
    breaks: 'a licence of one organisation is good for all',
    file: REACH,
    from: '(licence.org_id = $1::text or licence.org_id is null)',
    to: '(licence.org_id = $1::text or true)',
    tests: ['routes/data'],
    grep: 'shows each organisation',
  },
  {
    breaks: 'features are shown to every key',
    file: 'src/core/datasets/visible.ts',
    from: "if (caller.capabilities.includes('feature.read'))",
    to: 'if (true)',
    tests: ['routes/data-charges'],
    grep: 'feature.read',
  },
  {
    breaks: 'an organisation revokes the keys of another',
    file: KEYS,
    from: "orgId === undefined ? revoke : revoke.where('org_id', '=', orgId)",
    to: 'revoke',
    tests: ['access/rolling', 'web/keys'],
    grep: 'the organisation that asks|of another organisation are not there',
  },
  {
    breaks: 'the service adds credits',
    file: 'sql/functions/refuse_all_but_owner.sql',
    from: 'if not pg_has_role(current_user,',
    to: 'if false and not pg_has_role(current_user,',
    tests: ['credits/service-rights'],
    grep: 'higher balance|top-up',
  },
  {
    breaks: 'a refund may be larger than its charge',
    file: 'sql/functions/change_balance.sql',
    from: 'and charge.credits = -added.credits',
    to: '',
    tests: ['credits/service-rights'],
    grep: 'larger than its charge',
  },
  {
    breaks: 'an analyst finds frames by a dataset that is closed to the analyst',
    file: 'sql/functions/refuse_unread_datasets.sql',
    from: 'if unread is not null then',
    to: 'if false then',
    tests: ['analyst/figures'],
    grep: 'however deep',
  },
  {
    breaks: 'an analyst names a closed dataset where no member of a filter has one',
    file: 'sql/functions/refuse_unread_datasets.sql',
    from: `select text #>> '{}', false`,
    to: `select '', false`,
    tests: ['analyst/figures'],
    grep: 'however deep',
  },
  {
    breaks: 'the service mints keys',
    file: 'sql/functions/service_may.sql',
    from: 'grant insert, update (seen_at) on key_seen to %s',
    to: 'grant insert, update on key_seen, api_key to %s',
    tests: ['access/rights-of-roles'],
    grep: 'frames_service changes what it has to',
  },
  {
    breaks: 'the web app prolongs the grace of a key',
    statement: `drop trigger api_key_revoked_for_good on api_key;
      create trigger api_key_revoked_for_good before update of revoked_at on api_key
        for each row when (new.revoked_at is null and old.revoked_at is not null)
        execute function refuse_all_but_owner()`,
    tests: ['access/console-rights'],
    grep: 'frames_console may do none',
  },
  {
    breaks: 'an import of frames during a call keeps the ETag of the old index',
    file: 'src/api/http/etag.ts',
    from: '!isOfOne || ',
    to: '',
    tests: ['load/tags'],
    grep: 'replaces the index: /v1/frames/data',
  },
  {
    breaks: 'an import of a dataset during a call keeps the ETag of the old dataset',
    file: 'src/api/routes/frames-data.ts',
    from: `read: () => recordsOn(reader, ids, datasets),
    isStill: () => areUnchanged(reader, datasets),`,
    to: 'read: () => recordsOn(reader, ids, datasets),',
    tests: ['load/tags'],
    grep: 'replaces a dataset',
  },
  {
    breaks: 'test keys are accepted where they are switched off',
    file: 'src/api/http/authenticate.ts',
    from: 'services.testKeys && test',
    to: 'test',
    tests: ['access/test-keys'],
    grep: 'where TEST_KEYS is not on',
  },
  {
    breaks: 'test keys are on with a database of production',
    file: 'src/core/settings/service.ts',
    from: 'read.TEST_KEYS === undefined && read.DATABASE_URL === undefined',
    to: 'read.TEST_KEYS === undefined',
    tests: ['access/test-keys'],
    grep: 'accepted embedded',
  },
  {
    breaks: 'a test key gets for nothing what everyone may buy',
    file: 'src/core/credits/charging.ts',
    from: 'if (testPurpose(caller)) return billOf(priced, [])',
    to: 'if (testPurpose(caller)) return billOf(priced, priced.map(({ layerId }) => layerId))',
    tests: ['access/test-keys'],
    grep: 'for credits has none',
  },
  {
    breaks: 'a test key that always answers sees what has a price',
    file: 'src/core/datasets/visible.ts',
    from: "test === undefined || test === 'credits' ? priced",
    to: 'test !== undefined ? priced',
    tests: ['access/test-keys'],
    grep: 'reads what is free for everyone',
  },
  {
    breaks: 'a test key that fails spends from no bucket',
    file: 'src/api/http/admit.ts',
    from: '      await spend(',
    to: '      failAsTestKey(services, caller, capability, res)\n      await spend(',
    tests: ['access/test-keys'],
    grep: 'share the bucket',
  },
]
