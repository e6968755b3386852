import { Type } from '@sinclair/typebox'
import { operation } from '../../operations/operation'
import { RoleField } from './operator-view'

export const identityOperations = [
  operation({
    name: 'identity.get',
    method: 'GET',
    path: '/identity',
    role: 'viewer',
    about: 'Who asks, as the trail names them, and what they may',
    result: Type.Object({
      who: Type.String(),
      role: RoleField,
    }),
    run: async ({ requester: { actor, role } }) => ({ who: actor, role }),
  }),
] as const
