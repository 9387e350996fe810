-- Up Migration

-- Most people live on few frames: classes and bins of one width put nearly all others into one. Totals that were kept before
-- keep their bins until their dataset is imported again.

comment on column attribute_spread.breaks is
  'Upper bounds of the lower six of seven classes of as many frames or units each; those of zero are left out where no number is lower. A number belongs to the first class whose bound it does not exceed; bounds may repeat.';
comment on column attribute_spread.bins is
  'Numbers in each of 20 bins of one width between lowest and highest, or of 21 where most numbers lie in the lowest twentieth: see function spread_bin.';
