/** Fakes, rules and processes that the tests of several modules share. */
@NullMarked
package io.sluice.testkit;

import org.jspecify.annotations.NullMarked;
