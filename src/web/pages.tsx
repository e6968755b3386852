import {
  IconChartBar,
  IconFolder,
  IconHome2,
  IconKey,
  IconListDetails,
  IconReceipt2,
  IconSettings,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react'
import { lazyPage } from './parts/lazy-page'

const Home = lazyPage(() => import('./pages/home').then((page) => page.Home))
const Keys = lazyPage(() => import('./pages/keys').then((page) => page.Keys))
const Key = lazyPage(() => import('./pages/key').then((page) => page.Key))
const Usage = lazyPage(() => import('./pages/usage').then((page) => page.Usage))
const Requests = lazyPage(() => import('./pages/requests').then((page) => page.Requests))
const Request = lazyPage(() => import('./pages/request').then((page) => page.Request))
const Statement = lazyPage(() => import('./pages/statement').then((page) => page.Statement))
const Credit = lazyPage(() => import('./pages/credit').then((page) => page.Credit))
const Payment = lazyPage(() => import('./pages/payment').then((page) => page.Payment))
const Projects = lazyPage(() => import('./pages/projects').then((page) => page.Projects))
const Members = lazyPage(() => import('./pages/members').then((page) => page.Members))
const Settings = lazyPage(() => import('./pages/settings').then((page) => page.Settings))

/** Pages of whoever is signed in, in the order of the rail: address, name among the texts, sign, page. */
export const pages = [
  ['/', 'home', IconHome2, Home],
  ['/keys', 'keys', IconKey, Keys],
  ['/usage', 'usage', IconChartBar, Usage],
  ['/requests', 'requests', IconListDetails, Requests],
  ['/credit', 'credit', IconWallet, Credit],
  ['/statement', 'statement', IconReceipt2, Statement],
  ['/projects', 'projects', IconFolder, Projects],
  ['/members', 'members', IconUsers, Members],
  ['/settings', 'settings', IconSettings, Settings],
] as const

/** Pages of one thing, which pages of the rail lead to. */
export const innerPages = [
  ['/keys/:id', Key],
  ['/requests/:id', Request],
  ['/credit/:id', Payment],
] as const
