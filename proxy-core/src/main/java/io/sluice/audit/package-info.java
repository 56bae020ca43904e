/** Foundation: the audit log of logins, refusals, ended requests and changes by operators. */
@NullMarked
package io.sluice.audit;

import org.jspecify.annotations.NullMarked;
