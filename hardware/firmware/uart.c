#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

/* Powers of two; one index is written by the interrupt, the other by the main loop. */
enum { RX = 128, TX = 256 };
static volatile uint8_t rx[RX], tx[TX];
static volatile uint8_t rx_in, rx_out, tx_in, tx_out;

void uart_init(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = 16; /* 117647 baud at 16 MHz: 2.1 % high, as every Uno */
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

ISR(USART_RX_vect) {
    uint8_t byte = UDR0;
    uint8_t next = (rx_in + 1) & (RX - 1);
    if (next != rx_out) { /* full: the byte is lost, its line fails the check and the host repeats */
        rx[rx_in] = byte;
        rx_in = next;
    }
}

ISR(USART_UDRE_vect) {
    if (tx_in == tx_out) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        return;
    }
    UDR0 = tx[tx_out];
    tx_out++;
}

int16_t uart_get(void) {
    if (rx_in == rx_out)
        return -1;
    uint8_t byte = rx[rx_out];
    rx_out = (rx_out + 1) & (RX - 1);
    return byte;
}

uint8_t uart_room(uint8_t n) {
    uint8_t used;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { used = (uint8_t)(tx_in - tx_out); }
    uint8_t free = (uint8_t)(255 - used); /* one place stays free: full is not empty */
    return free >= n;
}

void uart_put(uint8_t byte) {
    tx[tx_in] = byte;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        tx_in++;
        UCSR0B |= _BV(UDRIE0);
    }
}
