import { Elysia } from 'elysia'
import type { ConsoleParts } from './parts'

/** `GET /app/api/service`: what everybody may know of the service. */
export const serviceApi = ({ serviceName, publicUrl, passkeySite, sister }: ConsoleParts) =>
  new Elysia({ prefix: '/service', normalize: false }).get('/', async ({ request }) => ({
    name: serviceName(),
    /** Where clients point to, `/v1` included; null for the address that the page has. */
    base_url: publicUrl === null ? null : `${publicUrl}/v1`,
    /** How people may sign in besides by phone and code. */
    sign_in: {
      passkeys: passkeySite(request) !== null,
      /** Name of the sister service whose users come by a ticket; null where there is none. */
      sister: await sister.name(),
    },
  }))
