INSERT INTO `usage_rollup_fill` (`id`, `project`, `day`) SELECT 1, 0, 0 WHERE EXISTS (SELECT 1 FROM `usage_days`);
