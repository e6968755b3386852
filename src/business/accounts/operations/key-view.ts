import { Type, type Static } from '@sinclair/typebox'
import type { ListedKey } from '../../../domain/reports/account-reader'
import type { Key } from '../../../domain/caller'
import { wired } from '../../../domain/fields/field'
import { keyFields, keyStates } from '../../../domain/fields/key-fields'
import { showUsd } from '../../../domain/money'
import type { KeySummary } from '../../../gateway/identity/account-directory'
import { CapView } from './caps'
import { Id, orNull } from '../../operations/fields'
import { shownFields } from '../../operations/from-fields'

const listed = {
  id: Id,
  project: Id,
  prefix: Type.String(),
  state: Type.Unsafe<Key['state']>(Type.Union(keyStates.map((each) => Type.Literal(each)))),
  ...shownFields(keyFields),
  created: Type.String(),
  /** The person who made it in the web app; null where an operator did. */
  made_by: orNull(Id),
}
export const ListedKeyView = Type.Object({
  ...listed,
  /** The last UTC day of a call; null where there was none. */
  last_used: orNull(Type.String()),
})
export const KeyView = Type.Object({ ...listed, account: Id, spent_usd: Type.String() })

export const listedKeyView = (key: ListedKey) => ({
  id: key.id as number,
  project: key.project as number,
  prefix: key.prefix,
  state: key.state,
  ...wired(keyFields, key),
  created: new Date(key.created).toISOString(),
  made_by: key.madeBy as number | null,
})

export const keyView = (key: KeySummary): Static<typeof KeyView> => ({
  ...listedKeyView(key),
  account: key.account,
  spent_usd: showUsd(key.spent),
})

export const KeyWithCaps = Type.Composite([KeyView, Type.Object({ caps: Type.Array(CapView) })])

/** A key that was just made, with its secret: this once. */
export const MadeKeyView = Type.Composite([
  KeyView,
  Type.Object({
    secret: Type.String(),
    /** Name of the service by which it is branded. */
    service: Type.String(),
    base_url: orNull(Type.String()),
  }),
])
