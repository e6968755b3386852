import {
  IconHistory,
  IconHeartbeat,
  IconListDetails,
  IconSettings,
  IconUserShield,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { lazyPage } from '../parts/lazy-page'

/** A page of the console. Another page is a line here; its text in the rail is `operatorNav.NAME`. */
export interface OperatorPage {
  readonly path: string
  readonly Page: ComponentType
  /** In the rail, in this order; others are reached from pages. */
  readonly rail?: { readonly name: string; readonly Icon: typeof IconUsers }
}

export const operatorPages: readonly OperatorPage[] = [
  {
    path: '/operator',
    Page: lazyPage(() => import('./pages/accounts').then((page) => page.Accounts)),
    rail: { name: 'accounts', Icon: IconUsers },
  },
  {
    path: '/operator/trail',
    Page: lazyPage(() => import('./pages/trail').then((page) => page.Trail)),
    rail: { name: 'trail', Icon: IconHistory },
  },
]
