import {
  IconActivity,
  IconBell,
  IconChecklist,
  IconCoins,
  IconCpu,
  IconHeartbeat,
  IconHistory,
  IconId,
  IconLayoutDashboard,
  IconMicrophone,
  IconPercentage,
  IconPlugConnected,
  IconScale,
  IconReceipt,
  IconServer,
  IconSettings,
  IconTicket,
  IconUserShield,
  IconUsers,
  IconUsersGroup,
  IconVideo,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { lazyPage } from '../parts/lazy-page'
import { withTexts } from '../parts/more-texts'

/** A page of the console. Another page is a line here; its text in the rail is `operatorNav.NAME`. */
interface OperatorPage {
  readonly path: string
  readonly Page: ComponentType
  /** In the rail, in this order; others are reached from pages. */
  readonly rail?: { readonly name: string; readonly Icon: typeof IconUsers }
}

/** Texts of models and prices, which come with their pages. */
const pricesTexts = {
  fa: () => import('./texts/fa-prices').then((texts) => texts.faOperatorPrices),
  en: () => import('./texts/en-prices').then((texts) => texts.enOperatorPrices),
}

/** Texts of vendors and their bills, likewise. */
const vendorsTexts = {
  fa: () => import('./texts/fa-vendors').then((texts) => texts.faOperatorVendors),
  en: () => import('./texts/en-vendors').then((texts) => texts.enOperatorVendors),
}

/** Pages of the console, in the order of the navigation. */
export const operatorPages: readonly OperatorPage[] = [
  {
    path: '/operator/first-steps',
    Page: lazyPage(() => import('./rooms/start').then((room) => room.FirstSteps)),
    rail: { name: 'steps', Icon: IconChecklist },
  },
  {
    path: '/operator',
    Page: lazyPage(() => import('./rooms/start').then((room) => room.OverviewPage)),
    rail: { name: 'overview', Icon: IconLayoutDashboard },
  },
  {
    path: '/operator/live',
    Page: lazyPage(() => import('./rooms/calls').then((room) => room.LivePage)),
    rail: { name: 'live', Icon: IconActivity },
  },
  {
    path: '/operator/videos',
    Page: lazyPage(() => import('./rooms/calls').then((room) => room.VideoJobs)),
    rail: { name: 'videoJobs', Icon: IconVideo },
  },
  {
    path: '/operator/realtime',
    Page: lazyPage(() => import('./rooms/calls').then((room) => room.RealtimeSessions)),
    rail: { name: 'realtime', Icon: IconMicrophone },
  },
  {
    path: '/operator/accounts',
    Page: lazyPage(() => import('./rooms/accounts').then((room) => room.Accounts)),
    rail: { name: 'accounts', Icon: IconUsers },
  },
  {
    path: '/operator/accounts/:id',
    Page: lazyPage(() => import('./rooms/accounts').then((room) => room.AccountPage)),
  },
  {
    path: '/operator/groups',
    Page: lazyPage(() => import('./rooms/accounts').then((room) => room.GroupsPage)),
    rail: { name: 'groups', Icon: IconUsersGroup },
  },
  {
    path: '/operator/groups/:id',
    Page: lazyPage(() => import('./rooms/accounts').then((room) => room.GroupPage)),
  },
  {
    path: '/operator/requests/:id',
    Page: lazyPage(() => import('./rooms/calls').then((room) => room.CallPage)),
  },
  {
    path: '/operator/models',
    Page: lazyPage(
      withTexts(() => import('./rooms/prices').then((room) => room.ModelsDesk), pricesTexts),
    ),
    rail: { name: 'models', Icon: IconCpu },
  },
  {
    path: '/operator/models/*',
    Page: lazyPage(
      withTexts(() => import('./rooms/prices').then((room) => room.ModelDesk), pricesTexts),
    ),
  },
  {
    path: '/operator/model-imports',
    Page: lazyPage(
      withTexts(() => import('./rooms/prices').then((room) => room.ModelImports), pricesTexts),
    ),
  },
  {
    path: '/operator/price-rules',
    Page: lazyPage(
      withTexts(() => import('./rooms/prices').then((room) => room.PriceRules), pricesTexts),
    ),
    rail: { name: 'priceRules', Icon: IconPercentage },
  },
  {
    path: '/operator/proposals',
    Page: lazyPage(
      withTexts(() => import('./rooms/prices').then((room) => room.Proposals), pricesTexts),
    ),
    rail: { name: 'proposals', Icon: IconScale },
  },
  {
    path: '/operator/vendors',
    Page: lazyPage(
      withTexts(() => import('./rooms/vendors').then((room) => room.VendorList), vendorsTexts),
    ),
    rail: { name: 'vendors', Icon: IconServer },
  },
  {
    path: '/operator/vendors/:name',
    Page: lazyPage(
      withTexts(() => import('./rooms/vendors').then((room) => room.VendorPage), vendorsTexts),
    ),
  },
  {
    path: '/operator/bills',
    Page: lazyPage(
      withTexts(() => import('./rooms/vendors').then((room) => room.BillCheck), vendorsTexts),
    ),
    rail: { name: 'bills', Icon: IconReceipt },
  },
  {
    path: '/operator/payments',
    Page: lazyPage(() => import('./rooms/money').then((room) => room.PaymentsDesk)),
    rail: { name: 'payments', Icon: IconCoins },
  },
  {
    path: '/operator/payments/:id',
    Page: lazyPage(() => import('./rooms/money').then((room) => room.CardPaymentPage)),
  },
  {
    path: '/operator/verifications',
    Page: lazyPage(() => import('./rooms/money').then((room) => room.VerificationQueue)),
    rail: { name: 'verifications', Icon: IconId },
  },
  {
    path: '/operator/codes',
    Page: lazyPage(() => import('./rooms/money').then((room) => room.RedeemCodeDesk)),
    rail: { name: 'codes', Icon: IconTicket },
  },
  {
    path: '/operator/notices',
    Page: lazyPage(() => import('./rooms/upkeep').then((room) => room.NoticeOutbox)),
    rail: { name: 'notices', Icon: IconBell },
  },
  {
    path: '/operator/connections',
    Page: lazyPage(() => import('./rooms/upkeep').then((room) => room.ConnectionsPage)),
    rail: { name: 'connections', Icon: IconPlugConnected },
  },
  {
    path: '/operator/settings',
    Page: lazyPage(() => import('./rooms/upkeep').then((room) => room.ServiceSettings)),
    rail: { name: 'settings', Icon: IconSettings },
  },
  {
    path: '/operator/health',
    Page: lazyPage(() => import('./rooms/upkeep').then((room) => room.Health)),
    rail: { name: 'health', Icon: IconHeartbeat },
  },
  {
    path: '/operator/operators',
    Page: lazyPage(() => import('./rooms/upkeep').then((room) => room.OperatorsPage)),
    rail: { name: 'operators', Icon: IconUserShield },
  },
  {
    path: '/operator/trail',
    Page: lazyPage(() => import('./rooms/upkeep').then((room) => room.Trail)),
    rail: { name: 'trail', Icon: IconHistory },
  },
]
