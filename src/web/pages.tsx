import { IconHome2, IconSettings } from '@tabler/icons-react'
import { lazyPage } from './parts/lazy-page'

const Home = lazyPage(() => import('./pages/home').then((page) => page.Home))
const Settings = lazyPage(() => import('./pages/settings').then((page) => page.Settings))

/** Pages of whoever is signed in, in the order of the rail: address, name among the texts, sign, page. */
export const pages = [
  ['/', 'home', IconHome2, Home],
  ['/settings', 'settings', IconSettings, Settings],
] as const
