ALTER TABLE `account_webhooks` ADD `made_by` integer;--> statement-breakpoint
ALTER TABLE `holder_deliveries` ADD `target` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `proven` integer;