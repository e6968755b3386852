import { chat } from './chat'
import { health, readiness } from './health'
import { me } from './me'
import { model, models } from './models'
import { request } from './requests'
import type { Route } from './route'

/** Every address that answers. */
export const table: readonly Route[] = [models, model, chat, me, request, health, readiness]
