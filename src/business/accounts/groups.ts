import type { GroupId } from '../../domain/ids'
import type { AccountGroup, GroupChange, GroupStore, NewGroup } from '../../gateway/identity/groups'
import { AdminError, checkTextLength } from '../operations/admin-error'

const maxNameLength = 60

/**
 * The group that a person means: by its name, or by its number.
 * @throws AdminError group_not_found
 */
export async function groupMeant(
  store: Pick<GroupStore, 'find' | 'named'>,
  typed: string,
): Promise<AccountGroup> {
  const found =
    (await store.named(typed.trim())) ??
    (/^[1-9]\d{0,14}$/.test(typed) ? await store.find(Number(typed) as GroupId) : null)
  if (found === null) throw new AdminError('group_not_found', { group: typed })
  return found
}

/** The group of this number. @throws AdminError group_not_found */
export async function groupOf(store: Pick<GroupStore, 'find'>, id: number): Promise<AccountGroup> {
  const found = await store.find(id as GroupId)
  if (found === null) throw new AdminError('group_not_found', { group: String(id) })
  return found
}

/** Adds a group of accounts. @throws AdminError input_invalid | group_exists */
export async function addGroup(
  store: Pick<GroupStore, 'add'>,
  { name: typed, limits }: NewGroup,
): Promise<AccountGroup> {
  const name = nameOf(typed)
  const made = await store.add({ name, limits })
  if (made === null) throw new AdminError('group_exists', { group: name })
  return made
}

/** Changes its name or what it gives its accounts. @throws AdminError input_invalid | group_exists */
export async function setGroup(
  store: Pick<GroupStore, 'set'>,
  { id }: Pick<AccountGroup, 'id'>,
  { name: typed, ...change }: GroupChange,
): Promise<AccountGroup> {
  const name = typed === undefined ? undefined : nameOf(typed)
  const changed = await store.set(id, { ...change, ...(name === undefined ? {} : { name }) })
  if (changed === null) throw new AdminError('group_exists', { group: name ?? String(id) })
  return changed
}

/** Removes a group and its price rules; its accounts pay from then on what everybody does. */
export async function removeGroup(
  store: Pick<GroupStore, 'remove'>,
  { id }: Pick<AccountGroup, 'id'>,
): Promise<void> {
  if (!(await store.remove(id))) throw new AdminError('group_not_found', { group: String(id) })
}

/** A number names no group: groups are meant by either. */
function nameOf(typed: string): string {
  const name = typed.trim()
  checkTextLength('name', name, maxNameLength)
  if (/^\d+$/.test(name) || name === 'none')
    throw new AdminError('input_invalid', { field: 'name', rule: 'bad_form', form: 'group_name' })
  return name
}
