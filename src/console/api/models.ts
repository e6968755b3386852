import { Elysia } from 'elysia'
import type { ConsoleParts } from './parts'

/** `GET /app/api/models`: what a list of allowed models is picked from. */
export const modelsApi = ({ customer, onSale }: ConsoleParts) =>
  new Elysia({ prefix: '/models', normalize: false }).get('/', async ({ request }) => {
    await customer(request)
    return onSale().map(({ id, type }) => ({ id, type }))
  })
