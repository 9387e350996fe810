/** Optional members: an absent one is left out, as `exactOptionalPropertyTypes` and JSON want it. */
type Defined<Members> = { [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name] } & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<Members[Name], undefined>
}

export const defined = <Members extends object>(members: Members): Defined<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members>
