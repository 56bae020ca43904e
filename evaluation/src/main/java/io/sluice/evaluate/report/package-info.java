/** Reports of runs for people: findings as sentences, charts, and one self-contained HTML page. */
@NullMarked
package io.sluice.evaluate.report;

import org.jspecify.annotations.NullMarked;
