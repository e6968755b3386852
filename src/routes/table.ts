import { chat } from './chat'
import { health, readiness } from './health'
import { model, models } from './models'
import type { Route } from './route'

/** Every address that answers. */
export const table: readonly Route[] = [models, model, chat, health, readiness]
