import { isFields, type Fields } from '../json/fields'

/*
 * What becomes of the members of a request where it is translated. Each format that clients speak lists its own, by
 * these words; those of the newest official SDKs are all there.
 */

/**
 * Why a member is left out on purpose: it would buy at another price than that which is sold; it says who the
 * client's own user is; it keeps things in the operator's account; it chooses who answers, which is done here;
 * it asks for what is done anyway; or it is a hint to one vendor's machines, without which the answer is the same.
 */
export type OmissionReason = 'price' | 'identity' | 'storage' | 'routing' | 'given' | 'hint'

/** What becomes of one member of a request. */
export interface MemberRule {
  /**
   * - `translated`: the chat body says it, so that each vendor's format says or refuses it.
   * - `own`: reaches vendors of the client's format; a request with it is refused elsewhere.
   * - `own-hint`: reaches vendors of the client's format, and is left out elsewhere.
   * - `omitted`: is left out everywhere.
   * - `refused`: 400, whatever the vendor.
   */
  readonly fate: 'translated' | 'own' | 'own-hint' | 'omitted' | 'refused'
  /** The member of the chat body that says it, where that has another name. */
  readonly as?: string
  /** Values, beside null, that ask for nothing. */
  readonly neutral?: readonly unknown[]
  /** The only values that are translated; all, where none are listed. */
  readonly values?: readonly unknown[]
  /** Members of the object that it is, each with its own rule. */
  readonly members?: RequestMembers
  /** Why it is left out. */
  readonly because?: OmissionReason
}

/** Members of a request, or of an object in it, by name. */
export type RequestMembers = Readonly<Record<string, MemberRule>>

/** @param as member of the chat body, where that has another name */
export const translated = (as?: string): MemberRule =>
  as === undefined ? { fate: 'translated' } : { fate: 'translated', as }

/** A member whose values are words. @param as as of `translated` */
export const translatedWords = (as: string, values: readonly unknown[]): MemberRule => ({
  fate: 'translated',
  as,
  values,
})

/** A member of the chat body that asks for nothing by one of these values. */
export const unless = (...neutral: readonly unknown[]): MemberRule => ({
  fate: 'translated',
  neutral,
})

/** An object whose members differ in what becomes of them. */
export const translatedParts = (members: RequestMembers): MemberRule => ({
  fate: 'translated',
  members,
})

/** What only vendors of the client's format know. @param neutral values that ask for nothing */
export const own = (...neutral: readonly unknown[]): MemberRule => ({ fate: 'own', neutral })

export const ownHint = (because: OmissionReason): MemberRule => ({ fate: 'own-hint', because })

export const omitted = (because: OmissionReason): MemberRule => ({ fate: 'omitted', because })

export const refusedAlways = (...neutral: readonly unknown[]): MemberRule => ({
  fate: 'refused',
  neutral,
})

/** Members of every format by which a client says who may answer. */
export const routingMembers = {
  models: omitted('routing'),
  provider: omitted('routing'),
  providerOptions: omitted('routing'),
  plugins: omitted('routing'),
} as const satisfies RequestMembers

/** Members by which clients of any format say who their own user is: our opaque id goes in their place. */
export const identityMembers = {
  user: omitted('identity'),
  user_id: omitted('identity'),
  safety_identifier: omitted('identity'),
} as const satisfies RequestMembers

/** The rule of a member; undefined for one that is not listed. */
export const ruleOf = (members: RequestMembers, name: string): MemberRule | undefined =>
  Object.hasOwn(members, name) ? members[name] : undefined

/** Members that reach no vendor as they stand. */
export const withheldMembers = (members: RequestMembers): ReadonlySet<string> =>
  new Set(
    Object.entries(members).flatMap(([name, { fate }]) =>
      fate === 'omitted' || fate === 'refused' ? [name] : [],
    ),
  )

/**
 * The first member that is refused whatever the vendor, since it asks for something.
 * @returns its name; null when there is none
 */
export function refusedMember(members: RequestMembers, request: Readonly<Fields>): string | null {
  for (const name in request) {
    const rule = ruleOf(members, name)
    if (rule?.fate === 'refused' && !requestsNothing(rule, request[name])) return name
  }
  return null
}

/** Whether a value asks for nothing: null, or one of the neutral ones. */
export function requestsNothing({ neutral = [] }: MemberRule, value: unknown): boolean {
  if (value === null || value === undefined) return true
  return neutral.some((each) => Bun.deepEquals(each, value))
}

/**
 * Paths of members that no list has, without the places of lists. Coding clients send some that are published
 * nowhere, for the servers of their own vendor: they are left out of a translation, and the answer names them.
 */
export type UnlistedMembers = Set<string>

/**
 * The first member of an object that a vendor of another format cannot be asked for.
 * @param at what stands before its name in its path
 * @param unlisted takes those that are left out
 * @returns its path; null when there is none
 */
export function unsaidMember(
  members: RequestMembers,
  value: Readonly<Fields>,
  unlisted: UnlistedMembers,
  at = '',
): string | null {
  for (const name in value) {
    const each = value[name]
    if (each === null || each === undefined) continue
    const rule = ruleOf(members, name)
    if (rule === undefined) {
      unlisted.add((at + name).replace(/\[\d+\]/g, '[]'))
      continue
    }
    const isOwn = rule.fate === 'own' || rule.fate === 'refused'
    if (isOwn && !requestsNothing(rule, each)) return at + name
    if (rule.values?.includes(each) === false) return at + name
    if (rule.members === undefined || !isFields(each)) continue
    const inner = unsaidMember(rule.members, each, unlisted, `${at}${name}.`)
    if (inner !== null) return inner
  }
  return null
}

/**
 * The first member of the objects in a list that a vendor of another format cannot be asked for.
 * @param at path of the list
 * @param membersOf rules of one object; undefined where it is looked at elsewhere
 */
export function unsaidInList(
  list: unknown,
  at: string,
  unlisted: UnlistedMembers,
  membersOf: (each: Fields) => RequestMembers | undefined,
): string | null {
  if (!Array.isArray(list)) return null
  for (let index = 0; index < list.length; index++) {
    const each: unknown = list[index]
    if (!isFields(each)) continue
    const members = membersOf(each)
    if (members === undefined) continue
    const unsaid = unsaidMember(members, each, unlisted, `${at}[${index}].`)
    if (unsaid !== null) return unsaid
  }
  return null
}

/**
 * The member of a client's request that became a member of the chat body.
 * @returns its path; null where nothing of the request did
 */
export function clientMember(
  members: RequestMembers,
  name: string,
  request: Readonly<Fields>,
): string | null {
  for (const own in request) {
    const rule = ruleOf(members, own)
    if (rule === undefined) continue
    const value = request[own]
    const inner =
      rule.members === undefined || !isFields(value)
        ? null
        : clientMember(rule.members, name, value)
    if (inner !== null) return `${own}.${inner}`
    if (rule.members === undefined && rule.fate === 'translated' && (rule.as ?? own) === name)
      return own
  }
  return null
}
