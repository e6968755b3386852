import { Type } from '@sinclair/typebox'
import type { AccountId } from '../../../domain/ids'
import { zeroUsd } from '../../../domain/money'
import { closeAccount } from '../close-account'
import { counted } from '../../operations/command'
import { Id } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'

export const closingOperations = [
  operation({
    name: 'account.close',
    method: 'POST',
    path: '/accounts/{id}/closing',
    role: 'staff',
    about:
      'Close an account for good: keys are revoked, its people signed out and forgotten; what is left of its balance is given up by its name',
    params: { id: Id },
    body: {
      give_up: asOption(
        Type.Optional(Type.String({ maxLength: 200 })),
        'name of the account: what is left of its balance is given up',
        { option: 'give-up <name>' },
      ),
    },
    result: Type.Object({
      id: Id,
      closed: Type.Literal(true),
      keys: Type.Integer(),
      sessions: Type.Integer(),
      /** Who belonged to no other account: nothing is kept of them. */
      people: Type.Integer(),
    }),
    commands: [
      {
        words: 'account close',
        about: 'close an account for good: keys are revoked, its people signed out and forgotten',
        example: 'account close 1 --give-up "Sara"',
        params: { id: { name: 'account', about: 'id of the account', as: 'place' } },
        object: 'account',
        said: ({ id, keys, sessions, people }) => ({
          stdout: [
            `account ${id} is closed: ${counted(keys, 'key')} revoked, ${counted(sessions, 'session')} ended`,
            ...(people > 0
              ? [`${people} people belong to no other account: they are forgotten`]
              : []),
          ],
        }),
      },
    ],
    async run({ storage, service }, { params, body }) {
      await service.flush()
      const account = params.id as AccountId
      const giveUp = body.give_up ?? null
      // Calls that run are on record: what is held for them need not be known.
      const closed = await closeAccount(storage.closings, { account, giveUp, held: zeroUsd })
      return { id: params.id, closed: true as const, ...closed }
    },
  }),
] as const
