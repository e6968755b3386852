import { Elysia } from 'elysia'
import type { ConsoleParts } from './parts'

/** `GET /app/api/service`: what everybody may know of the service. */
export const serviceApi = ({ serviceName, publicUrl }: ConsoleParts) =>
  new Elysia({ prefix: '/service', normalize: false }).get('/', ({ request }) => ({
    name: serviceName(),
    /** Where clients point to, `/v1` included. */
    base_url: `${publicUrl ?? new URL(request.url).origin}/v1`,
  }))
