-- Where the sandbox was on sale before there was a setting for it, it stays so.
INSERT OR IGNORE INTO `settings` (`key`, `value`)
SELECT 'sandbox', 'on'
WHERE EXISTS (SELECT 1 FROM `sold_cards` WHERE `version` = 'sandbox-1')
  AND NOT EXISTS (SELECT 1 FROM `vendors` WHERE `name` = 'sandbox' AND `active` = 0);--> statement-breakpoint
DELETE FROM `vendors` WHERE `name` = 'sandbox';
