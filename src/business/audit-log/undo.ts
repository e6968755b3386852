import type { AccountId, GroupId, KeyId, ProjectId } from '../../domain/ids'
import { accountFields } from '../../domain/fields/account-fields'
import { changeBack } from '../../domain/fields/field'
import { groupFields } from '../../domain/fields/group-fields'
import { keyFields } from '../../domain/fields/key-fields'
import { projectFields } from '../../domain/fields/project-fields'
import type { AccountChange, KeyChange } from '../../gateway/identity/account-directory'
import type { Requester } from '../operators/requester'
import { registry, settingKeys, type SettingKey } from '../../gateway/settings/registry'
import type { SettingType } from '../../gateway/settings/types'
import type { Storage } from '../data/storage'
import { accountTrail, groupTrail, keyTrail, projectTrail } from './audit-fields'
import type { TrailFields, TrailLine } from '../../domain/audit-log'
import { checkGroup } from '../accounts/account-change'
import { AdminError } from '../operations/admin-error'
import { setGroup } from '../accounts/groups'
import { resetSetting, restoreSetting } from '../settings/rules'

type UndoStorage = Pick<Storage, 'trail' | 'directory' | 'groups' | 'settings'>

interface UndoParts {
  readonly storage: UndoStorage
  readonly requester: Requester
}

/** How the changes of one kind are set back. */
interface Undoing {
  isPossible?(line: TrailLine): boolean
  /** The subject as the trail would tell of it by now; null where it is not there. */
  now(storage: UndoStorage, name: string): Promise<TrailFields | null>
  /** @param before null where there was nothing */
  setBack(parts: UndoParts, name: string, before: TrailFields | null): Promise<void>
}

const account: Undoing = {
  async now({ directory }, name) {
    const found = await directory.findAccount(Number(name) as AccountId)
    // Closed for good: whatever it was, it is not that any more.
    return found === null || found.isClosed ? null : accountTrail(found)
  },
  async setBack({ storage: { directory, groups } }, name, before) {
    const ownLimits = before?.['own_limits'] as AccountChange['ownLimits']
    const change: AccountChange = {
      ...changeBack(accountFields, before),
      ...(ownLimits === undefined ? {} : { ownLimits }),
    }
    await checkGroup(groups, change)
    await directory.setAccount(Number(name) as AccountId, change)
  },
}

const group: Undoing = {
  async now({ groups }, name) {
    const found = await groups.find(Number(name) as GroupId)
    return found === null ? null : groupTrail(found)
  },
  async setBack({ storage: { groups } }, subject, before) {
    const { name, ...limits } = changeBack(groupFields, before)
    const change = { limits, ...(name === undefined ? {} : { name }) }
    await setGroup(groups, { id: Number(subject) as GroupId }, change)
  },
}

const project: Undoing = {
  async now({ directory }, name) {
    const found = await directory.findProject(Number(name) as ProjectId)
    return found === null ? null : projectTrail(found)
  },
  async setBack({ storage: { directory } }, name, before) {
    await directory.setProject(Number(name) as ProjectId, changeBack(projectFields, before))
  },
}

const key: Undoing = {
  // A revoked key stays so.
  isPossible: ({ after }) => after?.['state'] !== 'revoked',
  async now({ directory }, name) {
    const found = await directory.findKey(Number(name) as KeyId)
    return found === null || found.state === 'revoked' ? null : keyTrail(found)
  },
  async setBack({ storage: { directory } }, name, before) {
    const state = before?.['state'] as KeyChange['state']
    const change = { ...changeBack(keyFields, before), ...(state === undefined ? {} : { state }) }
    await directory.setKey(Number(name) as KeyId, change)
  },
}

/** A setting that the trail tells whole; null for others. */
function toldKey(name: string): SettingKey | null {
  const key = settingKeys.find((each) => registry[each].name === name) ?? null
  const type: SettingType | null = key === null ? null : registry[key].type
  return type?.fromFile === undefined ? key : null
}

const setting: Undoing = {
  isPossible: ({ subject }) => toldKey(nameOf(subject)) !== null,
  async now({ settings }, name) {
    const value = (await settings.all()).get(name)
    return value === undefined ? null : { value }
  },
  async setBack({ storage: { settings: store }, requester }, name, before) {
    const key = toldKey(name)
    const value = before?.['value']
    if (key === null) await store.unset(name)
    else if (typeof value === 'string') await restoreSetting({ store, requester }, key, value)
    else await resetSetting({ store, requester }, key)
  },
}

const undoings: Readonly<Record<string, Undoing>> = {
  'account.set': account,
  'group.set': group,
  'project.set': project,
  'key.set': key,
  'setting.set': setting,
  'setting.reset': setting,
}

const nameOf = (subject: string): string => subject.slice(subject.indexOf(':') + 1)

/** Whether a change is of a kind that can be set back; whether it still can is seen when it is. */
export const isUndoable = (line: TrailLine): boolean => {
  const undoing = Object.hasOwn(undoings, line.what) ? undoings[line.what] : undefined
  return undoing !== undefined && (undoing.isPossible?.(line) ?? true)
}

/**
 * Sets back what a line of the trail changed: another change, with a line of its own.
 * @throws AdminError trail_line_not_found | not_undoable | changed_since, where a field that it
 *   changed is another one by now, and those of the setting that it sets back
 */
export async function undoChange(parts: UndoParts, id: number): Promise<TrailLine> {
  const { storage } = parts
  const line = await storage.trail.find(id)
  if (line === null) throw new AdminError('trail_line_not_found', { line: id })
  const undoing = undoings[line.what]
  if (undoing === undefined || !isUndoable(line)) throw new AdminError('not_undoable', { line: id })
  const name = nameOf(line.subject)
  const now = await undoing.now(storage, name)
  if (!isAsLeft(line, now)) throw new AdminError('changed_since', { line: id })
  await undoing.setBack(parts, name, line.before)
  return line
}

function isAsLeft({ before, after }: TrailLine, now: TrailFields | null): boolean {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names].every((name) => JSON.stringify(after?.[name]) === JSON.stringify(now?.[name]))
}
