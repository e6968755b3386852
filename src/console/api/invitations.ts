import { Elysia } from 'elysia'
import type { InvitationId } from '../../domain/ids'
import { tokenOf } from '../session-cookie'
import { IdParams } from './fields'
import type { ConsoleParts } from './parts'

/** `/app/api/invitations`: answers to the questions that `me` tells of. */
export const invitationsApi = ({ customer, members, sessions, isSecure, changed }: ConsoleParts) =>
  new Elysia({ prefix: '/invitations', normalize: false })
    .post(
      '/:id/accept',
      async ({ request, params }) => {
        const { person } = await customer(request)
        const { account, role } = await members.accept(person, params.id as InvitationId)
        changed()
        await sessions.choose(tokenOf(request.headers, isSecure) ?? '', account)
        return { account, role }
      },
      { params: IdParams },
    )
    .delete(
      '/:id',
      async ({ request, params }) => {
        const { person } = await customer(request)
        await members.decline(person, params.id as InvitationId)
        return { declined: true }
      },
      { params: IdParams },
    )
