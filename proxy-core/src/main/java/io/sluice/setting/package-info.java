/**
 * Foundation: checks of settings. Each room has a record of its settings, which checks its values
 * with {@link io.sluice.setting.Requirements} and refuses all invalid ones at once.
 */
@NullMarked
package io.sluice.setting;

import org.jspecify.annotations.NullMarked;
