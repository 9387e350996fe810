export { actingAs, nameActor } from './actor.js'
export { type Authority, authorityFinder, type FindAuthority } from './authority.js'
export {
  type ApiCall,
  CAPABILITIES,
  type Capability,
  type Preset,
  PRESET_NAMES,
  presetOf,
  PRESETS,
  presetsWith,
  presetTitle,
  presetValue,
} from './capabilities.js'
export { FieldFault } from './field-fault.js'
export { type KeyUse, openKeyUse } from './key-use.js'
export {
  AlreadyMinted,
  CAP_MOST,
  CAP_NAMES,
  type CapName,
  type Caps,
  capKey,
  type Expiry,
  type Grace,
  graceValue,
  hashOfKey,
  type Key,
  keyIdValue,
  type KeyWithSecret,
  LIFETIME_DAYS,
  listKeys,
  mintKey,
  newKeyId,
  NotRolled,
  revokeKey,
  rollKey,
  UnknownKey,
} from './keys.js'
export {
  checkDatasets,
  datasetNamed,
  datasetsOf,
  license,
  listDatasets,
  type ListedDataset,
  priceValue,
  sellFile,
  unlicense,
  unreadableBy,
} from './licences.js'
export {
  createOrganisation,
  DEMO_ORGANISATION,
  demoOrAny,
  findOrganisation,
  listOrganisations,
  type Organisation,
  type Plan,
  PLANS,
  unknownOrganisations,
} from './organisations.js'
export {
  changeMember,
  changeRoleOf,
  checkPerson,
  leavesNoOwner,
  listMembers,
  type Member,
  membersWithEmail,
  removeFrom,
  removeMember,
} from './people.js'
export { isRole, mayAs, type Role, roleName, roleNames, ROLES, roleValue } from './roles.js'
export {
  hashSecret,
  isLinkToken,
  isSessionToken,
  isWellFormed,
  maskSecrets,
  newSecret,
  newSessionToken,
  PREFIX,
  randomText,
} from './secret.js'
export { endAllSessions, endSession, removePasskey, switchOrganisation } from './sessions.js'
export { makeSignInLink, memberForLink, withdrawLink, withdrawLinks } from './sign-in-links.js'
export { isTestSecret, TEST_SECRETS, testAuthority, testPurpose } from './test-keys.js'
export { openUnknownWords, type UnknownWords } from './word-counts.js'
