import { Type } from '@sinclair/typebox'
import type { PersonId } from '../../domain/ids'
import { unlockPerson } from '../unlock-sign-in'
import { Id } from './fields'
import { operation } from './operation'

export const peopleOperations = [
  operation({
    name: 'person.unlock',
    method: 'POST',
    path: '/people/{id}/unlock',
    role: 'staff',
    about:
      'Lift the limits of sign-in for the number of a person: codes of the last hour hold no more and count no more, wrong ones of the day are forgotten',
    params: { id: Id },
    result: Type.Object({
      /** Codes that hold no more. */
      codes: Type.Integer(),
      /** Wrong codes that are forgotten. */
      wrong: Type.Integer(),
    }),
    run: async ({ storage }, { params }) => await unlockPerson(storage, params.id as PersonId),
  }),
]
