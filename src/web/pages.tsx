import {
  IconChartBar,
  IconCpu,
  IconFolder,
  IconHome2,
  IconKey,
  IconListDetails,
  IconMessages,
  IconReceipt2,
  IconSettings,
  IconUserCircle,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react'
import { lazyPage } from './parts/lazy-page'
import { withTexts } from './parts/more-texts'

const Home = lazyPage(() => import('./pages/home').then((page) => page.Home))
const Keys = lazyPage(() => import('./pages/keys').then((page) => page.Keys))
const Key = lazyPage(() => import('./pages/key').then((page) => page.Key))
const Requests = lazyPage(() => import('./pages/requests').then((page) => page.Requests))
const Request = lazyPage(() => import('./pages/request').then((page) => page.Request))
const Statement = lazyPage(() => import('./pages/statement').then((page) => page.Statement))
const Credit = lazyPage(() => import('./pages/credit').then((page) => page.Credit))
const Projects = lazyPage(() => import('./pages/projects').then((page) => page.Projects))
const modelTexts = {
  fa: () => import('./texts/fa-models').then((texts) => texts.faModels),
  en: () => import('./texts/en-models').then((texts) => texts.enModels),
}
const playgroundTexts = {
  fa: () => import('./texts/fa-playground').then((texts) => texts.faPlayground),
  en: () => import('./texts/en-playground').then((texts) => texts.enPlayground),
}
const membersTexts = {
  fa: () => import('./texts/fa-members').then((texts) => texts.faMembers),
  en: () => import('./texts/en-members').then((texts) => texts.enMembers),
}
const noticesTexts = {
  fa: () => import('./texts/fa-notices').then((texts) => texts.faNotices),
  en: () => import('./texts/en-notices').then((texts) => texts.enNotices),
}
const paymentTexts = {
  fa: () => import('./texts/fa-payment').then((texts) => texts.faPayment),
  en: () => import('./texts/en-payment').then((texts) => texts.enPayment),
}
const usageTexts = {
  fa: () => import('./texts/fa-usage').then((texts) => texts.faUsage),
  en: () => import('./texts/en-usage').then((texts) => texts.enUsage),
}
const verifyTexts = {
  fa: () => import('./texts/fa-verify').then((texts) => texts.faVerify),
  en: () => import('./texts/en-verify').then((texts) => texts.enVerify),
}
const Payment = lazyPage(
  withTexts(() => import('./pages/payment').then((page) => page.Payment), paymentTexts),
)
const Usage = lazyPage(
  withTexts(() => import('./pages/usage').then((page) => page.Usage), usageTexts),
)
const Members = lazyPage(
  withTexts(() => import('./pages/members').then((page) => page.Members), membersTexts),
)
const Models = lazyPage(
  withTexts(() => import('./pages/models').then((page) => page.Models), modelTexts),
)
const Model = lazyPage(
  withTexts(() => import('./pages/model').then((page) => page.ModelPage), modelTexts),
)
const Playground = lazyPage(
  withTexts(() => import('./pages/playground').then((page) => page.Playground), playgroundTexts),
)
const Account = lazyPage(() => import('./pages/account').then((page) => page.Account))
const Verify = lazyPage(
  withTexts(() => import('./pages/verify').then((page) => page.Verify), verifyTexts),
)
const Notices = lazyPage(
  withTexts(() => import('./pages/notices').then((page) => page.Notices), noticesTexts),
)
const Settings = lazyPage(() => import('./pages/settings').then((page) => page.Settings))

/**
 * Pages of whoever is signed in, in the order of the navigation: address, name among the texts, icon, page.
 */
export const pages = [
  ['/', 'home', IconHome2, Home],
  ['/keys', 'keys', IconKey, Keys],
  ['/models', 'models', IconCpu, Models],
  ['/playground', 'playground', IconMessages, Playground],
  ['/usage', 'usage', IconChartBar, Usage],
  ['/requests', 'requests', IconListDetails, Requests],
  ['/credit', 'credit', IconWallet, Credit],
  ['/statement', 'statement', IconReceipt2, Statement],
  ['/projects', 'projects', IconFolder, Projects],
  ['/members', 'members', IconUsers, Members],
  ['/account', 'account', IconUserCircle, Account],
  ['/settings', 'settings', IconSettings, Settings],
] as const

/** Pages of one thing, which pages of the navigation lead to. */
export const innerPages = [
  ['/keys/:id', Key],
  ['/requests/:id', Request],
  ['/models/*', Model],
  ['/verify', Verify],
  ['/notices', Notices],
  ['/credit/:id', Payment],
] as const

/** Pages that everybody may look at. */
export const publicPages = [
  ['/models', Models],
  ['/models/*', Model],
] as const
