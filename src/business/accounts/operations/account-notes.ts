import { Type, type Static } from '@sinclair/typebox'
import type { AccountNote } from '../note-contract'
import { addAccountNote, removeAccountNote } from '../notes'
import { accountIn } from '../find-account'
import { textForms } from '../../operations/refusals/text-forms'
import { beforeId, Id, max, page, pageOf } from '../../operations/fields'
import { operation } from '../../operations/operation'

const NoteView = Type.Object({
  id: Id,
  text: Type.String(),
  by: Type.String(),
  created: Type.String(),
})

const noteShown = ({ id, text, by, created }: AccountNote): Static<typeof NoteView> => ({
  id,
  text,
  by,
  created: new Date(created).toISOString(),
})

export const noteOperations = [
  operation({
    name: 'note.list',
    method: 'GET',
    path: '/accounts/{id}/notes',
    role: 'viewer',
    about: 'Notes of operators on an account, newest first; its people never read them',
    params: { id: Id },
    query: { before: beforeId, max },
    result: pageOf(NoteView, Id),
    async run(parts, { params, query }) {
      const { id } = await accountIn(parts, params.id)
      const { before = null, max } = query
      const found = await parts.storage.accountNotes.list(id, before, max + 1)
      return page(found.map(noteShown), max, (note) => note.id)
    },
  }),
  operation({
    name: 'note.add',
    method: 'POST',
    path: '/accounts/{id}/notes',
    role: 'staff',
    about: 'Write a note on an account, for other operators',
    params: { id: Id },
    body: { text: Type.String({ minLength: 1, maxLength: 4000, pattern: textForms.not_blank }) },
    result: NoteView,
    async run(parts, { params, body }) {
      const { id } = await accountIn(parts, params.id)
      return noteShown(await addAccountNote(parts.storage.accountNotes, id, body.text))
    },
  }),
  operation({
    name: 'note.remove',
    method: 'DELETE',
    path: '/accounts/{id}/notes/{note}',
    role: 'staff',
    about: 'Remove a note from an account',
    params: { id: Id, note: Id },
    result: Type.Object({ removed: Id }),
    async run(parts, { params }) {
      const { id } = await accountIn(parts, params.id)
      await removeAccountNote(parts.storage.accountNotes, id, params.note)
      return { removed: params.note }
    },
  }),
] as const
