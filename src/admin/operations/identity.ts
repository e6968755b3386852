import { Type } from '@sinclair/typebox'
import { operation } from './operation'

export const identityOperations = [
  operation({
    name: 'identity.get',
    method: 'GET',
    path: '/identity',
    role: 'viewer',
    about: 'Who asks, as the trail names them, and what they may',
    result: Type.Object({
      who: Type.String(),
      role: Type.Union([Type.Literal('viewer'), Type.Literal('staff'), Type.Literal('owner')]),
    }),
    run: async ({ requester: { actor, role } }) => ({ who: actor, role }),
  }),
] as const
